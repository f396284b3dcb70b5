/**
 * Returns the content security policy of a chat page: one script by its nonce, styles and the icon font from the bundle.
 * Hostile markup in a reply can run nothing and send nothing.
 *
 * @param source the origin of the bundle's files
 */
export function pagePolicy(nonce: string, source: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `font-src ${source}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
