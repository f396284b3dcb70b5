import { randomBytes } from 'node:crypto';
import { env, Uri, type Webview } from 'vscode';
import { pagePolicy } from './pagePolicy.ts';

/** The folder of the page's bundle: the only one that a page may read. */
export function pageRoot(extension: Uri): Uri {
  return Uri.joinPath(extension, 'dist', 'webview');
}

/** The page's HTML: an empty frame, a script and a sheet under {@link pagePolicy}. */
export function pageHtml(webview: Webview, extension: Uri, title: string): string {
  const nonce = randomBytes(16).toString('base64url');
  const root = pageRoot(extension);
  const script = webview.asWebviewUri(Uri.joinPath(root, 'main.js')).toString();
  const style = webview.asWebviewUri(Uri.joinPath(root, 'main.css')).toString();
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
<body>
<div id="app"></div>
<script nonce="${nonce}" src="${escapeHtml(script)}"></script>
</body>
</html>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
