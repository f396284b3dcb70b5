import { Uri, workspace } from 'vscode';

/** Where files are: URIs as text, paths relative to the workspace. */

/**
 * Reads a URI as a page or a drag gives it.
 *
 * A page of a remote window names files as `vscode-remote:`, while the extension host beside those files knows the
 * folders of the workspace as `file:`. Such a URI is mapped to the folder that has its path.
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
  if (workspace.getWorkspaceFolder(uri) !== undefined || uri.scheme !== 'vscode-remote') return uri;
  const mapped = (workspace.workspaceFolders ?? [])
    .map((folder) => folder.uri.with({ path: uri.path }))
    .find((candidate) => workspace.getWorkspaceFolder(candidate) !== undefined);
  return mapped ?? uri;
}

/** The path that a user knows a file by: relative to the workspace with `/`, led by the folder's name where there are several; absolute outside of it. */
export function displayPath(uri: Uri): string {
  return workspace.getWorkspaceFolder(uri) === undefined
    ? uri.path
    : workspace.asRelativePath(uri).replaceAll('\\', '/');
}
