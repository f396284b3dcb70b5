import { randomBytes } from 'node:crypto';
import { escapeHtml } from './escapeHtml.ts';
import { locale } from './text/format.ts';

/**
 * Returns an HTML document without scripts for a webview. Its actions are links to commands.
 *
 * It loads no files: VS Code may never show a document that replaces one whose files are still loading.
 *
 * @param title plain text
 * @param style a style sheet
 * @param body the HTML of the body element
 */
export function staticDocument(title: string, style: string, body: string): string {
  const nonce = randomBytes(16).toString('base64url');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(locale())}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
${body}
</html>`;
}
