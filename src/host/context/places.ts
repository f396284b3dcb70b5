import { env, Uri, workspace } from 'vscode';

/** Where files are: URIs as text, paths relative to the workspace. */

/**
 * Reads a URI as a page or a drag gives it.
 *
 * A page of a remote window names files as `vscode-remote:`, while an extension host that runs beside those files knows
 * them as `file:`, the folders of the workspace among them.
 *
 * @returns undefined for what is not a URI.
 */
export function parseFileUri(text: string): Uri | undefined {
  let uri: Uri;
  try {
    uri = Uri.parse(text, true);
  } catch {
    return undefined;
  }
  const isBesideFiles = workspace.workspaceFolders?.some((folder) => folder.uri.scheme === 'file');
  return uri.scheme === 'vscode-remote' && env.remoteName !== undefined && isBesideFiles === true
    ? uri.with({ scheme: 'file', authority: '' })
    : uri;
}

/** The path that a user knows a file by: relative to the workspace with `/`, led by the folder's name where there are several; absolute outside of it. */
export function displayPath(uri: Uri): string {
  return workspace.getWorkspaceFolder(uri) === undefined
    ? uri.path
    : workspace.asRelativePath(uri).replaceAll('\\', '/');
}
