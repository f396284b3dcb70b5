import { env, Uri, workspace } from 'vscode';

/** Where files are: URIs as text, paths relative to the workspace. */

/**
 * Reads the URI of a file as a page or a drag gives it: on this machine, or where the workspace is. No other scheme is
 * read, nor another host's files, so that no page can make the editor reach for something else.
 *
 * A page of a remote window names files as `vscode-remote:`, while an extension host that runs beside those files knows
 * them as `file:`, the folders of the workspace among them.
 *
 * @returns undefined for what is no such URI.
 */
export function parseFileUri(text: string): Uri | undefined {
  let uri: Uri;
  try {
    uri = Uri.parse(text, true);
  } catch {
    return undefined;
  }
  const folders = workspace.workspaceFolders ?? [];
  const isBesideFiles = folders.some((folder) => folder.uri.scheme === 'file');
  if (uri.scheme === 'vscode-remote' && env.remoteName !== undefined && isBesideFiles)
    return uri.with({ scheme: 'file', authority: '' });
  const isHere = uri.scheme === 'file' && uri.authority === '';
  const isBesideFolder = folders.some(
    (folder) => folder.uri.scheme === uri.scheme && folder.uri.authority === uri.authority,
  );
  return isHere || isBesideFolder ? uri : undefined;
}

/** The path that a user knows a file by: relative to the workspace with `/`, led by the folder's name where there are several; absolute outside of it. */
export function displayPath(uri: Uri): string {
  return workspace.getWorkspaceFolder(uri) === undefined
    ? uri.path
    : workspace.asRelativePath(uri).replaceAll('\\', '/');
}
