import { FileType, Uri, workspace, type WorkspaceFolder } from 'vscode';

/** A file or folder that is there. */
export interface FoundFile {
  readonly uri: Uri;
  readonly isFolder: boolean;
}

/**
 * Finds what a path in a reply names. Nothing outside the workspace is looked at, so that no path can make this machine
 * reach for another one.
 *
 * @param path Relative to a folder of the workspace, led by its name or not, or absolute where it starts with `/`.
 * @param authority The host that the path is on; empty for that of the folders.
 */
export async function findInWorkspace(
  path: string,
  authority = '',
): Promise<FoundFile | undefined> {
  for (const folder of workspace.workspaceFolders ?? []) {
    for (const uri of candidates(folder, path, authority)) {
      if (workspace.getWorkspaceFolder(uri) === undefined) continue;
      const type = await typeOf(uri);
      if (type !== undefined) return { uri, isFolder: (type & FileType.Directory) !== 0 };
    }
  }
  return undefined;
}

function candidates(
  { uri, name }: WorkspaceFolder,
  path: string,
  authority: string,
): readonly Uri[] {
  if (authority !== '' && authority !== uri.authority) return [];
  // Joining a path takes out its `..`, so that what leads outside is seen to.
  if (path.startsWith('/')) return [Uri.joinPath(uri.with({ path: '/' }), path)];
  const within = path.startsWith(`${name}/`) ? [path.slice(name.length + 1)] : [];
  return [path, ...within].map((relative) => Uri.joinPath(uri, relative));
}

async function typeOf(uri: Uri): Promise<FileType | undefined> {
  try {
    return (await workspace.fs.stat(uri)).type;
  } catch {
    return undefined;
  }
}
