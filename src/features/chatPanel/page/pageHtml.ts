import { escapeHtml } from '../../../platform/escapeHtml.ts';
import { randomBytes } from 'node:crypto';
import { env, Uri } from 'vscode';
import { pagePolicy } from './pagePolicy.ts';
import type { Surface } from '../surfaces/surface.ts';

type PageSurface = Pick<Surface, 'webview' | 'bodyClass'>;

/** Returns the folder of the page's bundle, the only one that a page may read. */
export function pageRoot(extension: Uri): Uri {
  return Uri.joinPath(extension, 'dist', 'webview');
}

/** Returns the HTML that loads the page's script and style sheet under {@link pagePolicy}. */
export function pageHtml(surface: PageSurface, extension: Uri, title: string): string {
  const nonce = newNonce();
  const main = Uri.joinPath(pageRoot(extension), 'main.js');
  const script = escapeHtml(surface.webview.asWebviewUri(main).toString());
  const body = `<div id="app"></div>
<script nonce="${nonce}" src="${script}"></script>`;
  return documentHtml(surface, extension, title, body, nonce);
}

function newNonce(): string {
  return randomBytes(16).toString('base64url');
}

/** Returns HTML in the style of a chat. Only a script with the nonce runs. */
export function documentHtml(
  { webview, bodyClass }: PageSurface,
  extension: Uri,
  title: string,
  body: string,
  nonce = newNonce(),
): string {
  const sheet = Uri.joinPath(pageRoot(extension), 'main.css');
  const style = webview.asWebviewUri(sheet).toString();
  const policy = pagePolicy(nonce, webview.cspSource);
  return `<!DOCTYPE html>
<html lang="${escapeHtml(env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escapeHtml(style)}">
<title>${escapeHtml(title)}</title>
</head>
<body class="${bodyClass}">
${body}
</body>
</html>`;
}
