/** Returns a function that replaces a member of VS Code's API until the test ends. */
export function useReplacements() {
  const restores: (() => void)[] = [];
  afterEach(() => {
    for (const restore of restores.splice(0).reverse()) restore();
  });
  return <T extends object>(owner: T, name: keyof T, value: unknown): void => {
    const original = Object.getOwnPropertyDescriptor(owner, name) ?? {};
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
    restores.push(() => Object.defineProperty(owner, name, original));
  };
}
