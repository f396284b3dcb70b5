/**
 * The content security policy of a chat page: one script by its nonce, styles and the icon font from the bundle, and
 * nothing else. No inline code, no eval, nothing remote, no form and no base, so that hostile markup in a reply finds
 * nothing to run and nowhere to send to.
 *
 * @param source Where the bundle's files are from.
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
