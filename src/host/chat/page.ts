import { randomBytes } from 'node:crypto';
import { env, Uri, type Webview } from 'vscode';

/** The folder of the page's bundle: the only one that a page may read. */
export function pageRoot(extension: Uri): Uri {
  return Uri.joinPath(extension, 'dist', 'webview');
}

/**
 * The page's HTML. One script by its nonce, styles and the icon font from the bundle, and nothing else: no inline code,
 * no eval, nothing remote, so that hostile markup in a reply finds nothing to run and nowhere to send to.
 */
export function pageHtml(webview: Webview, extension: Uri, title: string): string {
  const nonce = randomBytes(16).toString('base64url');
  const root = pageRoot(extension);
  const script = webview.asWebviewUri(Uri.joinPath(root, 'main.js')).toString();
  const style = webview.asWebviewUri(Uri.joinPath(root, 'main.css')).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
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
