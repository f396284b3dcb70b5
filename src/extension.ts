/** Called by VS Code once, when the extension starts. */
export function activate(): void {
  // Nothing is registered yet: the parts are built here and handed to each other.
}
