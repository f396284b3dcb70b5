import { env, Uri, workspace } from 'vscode';

/**
 * Parses the URI of a file that a page or a drag names. Only files on this machine and beside the workspace's folders
 * are accepted, so that no page can make the editor contact another host.
 */
export function parseFileUri(text: string): Uri | undefined {
  let uri: Uri;
  try {
    uri = Uri.parse(text, true);
  } catch {
    return undefined;
  }
  const folders = (workspace.workspaceFolders ?? []).map((folder) => folder.uri);
  // A page of a remote window names files as `vscode-remote:`, an extension host on that machine as `file:`.
  const isHostRemote =
    env.remoteName !== undefined && folders.some(({ scheme }) => scheme === 'file');
  if (uri.scheme === 'vscode-remote' && isHostRemote)
    return uri.with({ scheme: 'file', authority: '' });
  const isLocal = uri.scheme === 'file' && uri.authority === '';
  const isBesideFolder = folders.some(
    ({ scheme, authority }) => scheme === uri.scheme && authority === uri.authority,
  );
  return isLocal || isBesideFolder ? uri : undefined;
}

/** Returns a path for users: relative to the workspace with `/`, or absolute outside of it. */
export function displayPath(uri: Uri): string {
  return workspace.getWorkspaceFolder(uri) === undefined
    ? uri.path
    : workspace.asRelativePath(uri).replaceAll('\\', '/');
}
