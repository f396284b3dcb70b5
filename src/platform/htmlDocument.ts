import { randomBytes } from 'node:crypto';
import { locale } from './text/format.ts';

interface HtmlDocument {
  /** Plain text. */
  readonly title: string;
  /** The content security policy, escaped for an attribute. */
  readonly policy: string;
  /** The HTML that loads or holds the style sheet. */
  readonly style: string;
  readonly bodyClass?: string;
  /** HTML. */
  readonly body: string;
}

/** Escapes text for HTML content and attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Returns a new nonce: 22 characters. */
export function newNonce(): string {
  return randomBytes(16).toString('base64url');
}

export function htmlDocument({ title, policy, style, bodyClass, body }: HtmlDocument): string {
  return `<!DOCTYPE html>
<html lang="${escapeHtml(locale())}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${style}
<title>${escapeHtml(title)}</title>
</head>
<body class="${bodyClass ?? ''}">
${body}
</body>
</html>`;
}

/**
 * Returns the HTML of a webview without scripts. Its actions are links to commands.
 *
 * It loads no files: VS Code may never show a document that replaces one whose files are still loading.
 *
 * @param sheet the style sheet, after one that sets the font and the colors of an editor
 */
export function staticDocument(
  sheet: string,
  rest: Pick<HtmlDocument, 'title' | 'bodyClass' | 'body'>,
): string {
  const nonce = newNonce();
  return htmlDocument({
    ...rest,
    policy: `default-src 'none'; style-src 'nonce-${nonce}'`,
    style: `<style nonce="${nonce}">${EDITOR_STYLE}${sheet}</style>`,
  });
}

const EDITOR_STYLE = `
body {
  margin: 0;
  padding: 0;
  color: var(--vscode-foreground);
  background: var(--vscode-editor-background);
  font-family: var(--vscode-font-family);
  font-size: var(--vscode-font-size);
}
`;
