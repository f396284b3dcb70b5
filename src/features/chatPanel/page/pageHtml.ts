import { Uri, type WebviewOptions } from 'vscode';
import { escapeHtml, htmlDocument, newNonce } from '../../../platform/htmlDocument.ts';
import { pagePolicy } from './pagePolicy.ts';
import type { Surface } from '../surfaces/surface.ts';

function bundleFolder(extension: Uri): Uri {
  return Uri.joinPath(extension, 'dist', 'webview');
}

/** Returns the options of a page's webview. A page may read only its bundle. */
export function pageOptions(extension: Uri): WebviewOptions {
  return { enableScripts: true, localResourceRoots: [bundleFolder(extension)] };
}

/** Returns the HTML that loads the page's script and style sheet under {@link pagePolicy}. */
export function pageHtml(
  { webview, bodyClass }: Pick<Surface, 'webview' | 'bodyClass'>,
  extension: Uri,
  title: string,
): string {
  const nonce = newNonce();
  const address = (file: string) =>
    escapeHtml(webview.asWebviewUri(Uri.joinPath(bundleFolder(extension), file)).toString());
  return htmlDocument({
    title,
    policy: escapeHtml(pagePolicy(nonce, webview.cspSource)),
    style: `<link rel="stylesheet" href="${address('main.css')}">`,
    bodyClass,
    body: `<div id="app"></div>
<script nonce="${nonce}" src="${address('main.js')}"></script>`,
  });
}
