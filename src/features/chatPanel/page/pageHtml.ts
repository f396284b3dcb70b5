import { escapeHtml } from '../../../platform/escapeHtml.ts';
import { randomBytes } from 'node:crypto';
import { env, Uri } from 'vscode';
import { pagePolicy } from './pagePolicy.ts';
import type { Surface } from '../surfaces/surface.ts';

/** Returns the folder of the page's bundle, the only one that a page may read. */
export function pageRoot(extension: Uri): Uri {
  return Uri.joinPath(extension, 'dist', 'webview');
}

/** Returns the HTML that loads the page's script and style sheet under {@link pagePolicy}. */
export function pageHtml(
  { webview, bodyClass }: Pick<Surface, 'webview' | 'bodyClass'>,
  extension: Uri,
  title: string,
): string {
  const nonce = randomBytes(16).toString('base64url');
  const address = (file: string) =>
    escapeHtml(webview.asWebviewUri(Uri.joinPath(pageRoot(extension), file)).toString());
  return `<!DOCTYPE html>
<html lang="${escapeHtml(env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(pagePolicy(nonce, webview.cspSource))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${address('main.css')}">
<title>${escapeHtml(title)}</title>
</head>
<body class="${bodyClass}">
<div id="app"></div>
<script nonce="${nonce}" src="${address('main.js')}"></script>
</body>
</html>`;
}
