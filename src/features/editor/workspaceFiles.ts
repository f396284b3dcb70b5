import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { FileType, Uri, workspace, type WorkspaceFolder } from 'vscode';
import { repositoryRoots } from '../../platform/gitExtension.ts';

/** A file or folder that is there. */
interface FoundFile {
  readonly uri: Uri;
  readonly isFolder: boolean;
}

/**
 * Finds what a path in a reply names. Nothing outside the workspace is looked at, so that no path can make this machine
 * reach for another one.
 *
 * @param path Relative to a folder of the workspace or to one around it, as Git's paths are where less than a repository is
 *   open, or to a repository inside of it; or led by the folder's name; or absolute where it starts with `/`.
 * @param authority The host that the path is on; empty for that of the folders.
 */
export async function findInWorkspace(
  path: string,
  authority = '',
): Promise<FoundFile | undefined> {
  const { value } = await allInWorkspace(path, authority).next();
  return value;
}

/** All files that a path in a reply may name, without folders; else as {@link findInWorkspace}. */
export async function findFilesInWorkspace(path: string): Promise<readonly Uri[]> {
  const uris = new Map<string, Uri>();
  for await (const { uri, isFolder } of allInWorkspace(path, ''))
    if (!isFolder) uris.set(uri.toString(), uri);
  return [...uris.values()];
}

async function* allInWorkspace(
  path: string,
  authority: string,
): AsyncGenerator<FoundFile, undefined> {
  for (const folder of [...(workspace.workspaceFolders ?? []), ...innerRepositories()]) {
    for (const uri of candidates(folder, path, authority)) {
      if (workspace.getWorkspaceFolder(uri) === undefined) continue;
      const type = await fileTypeOf(uri);
      if (type === undefined || (await realPathOutside(uri)) !== undefined) continue;
      yield { uri, isFolder: (type & FileType.Directory) !== 0 };
    }
  }
  return undefined;
}

/** The repositories inside of the workspace's folders: Git's paths begin at them. */
function innerRepositories(): readonly Root[] {
  return repositoryRoots()
    .filter((uri) => workspace.getWorkspaceFolder(uri) !== undefined && !isRoot(uri))
    .map((uri) => ({ uri, name: namesIn(uri).at(-1) ?? '' }));
}

/** A folder at which paths may begin. */
type Root = Pick<WorkspaceFolder, 'uri' | 'name'>;

/** What a path may mean in a folder, the likeliest first: as it stands, then without the folder's own path before it. */
function candidates({ uri, name }: Root, path: string, authority: string): readonly Uri[] {
  if (authority !== '' && authority !== uri.authority) return [];
  // Joining a path takes out its `..`, so that what leads outside is seen to.
  if (path.startsWith('/')) return [Uri.joinPath(uri.with({ path: '/' }), path)];
  const names = namesIn(uri);
  const ends = names.map((_, start) => names.slice(start).join('/'));
  const leads = [...new Set([...ends, name])].filter((lead) => path.startsWith(`${lead}/`));
  const within = leads.map((lead) => path.slice(lead.length + 1));
  return [path, ...within].map((relative) => Uri.joinPath(uri, relative));
}

export async function fileTypeOf(uri: Uri): Promise<FileType | undefined> {
  try {
    return (await workspace.fs.stat(uri)).type;
  } catch {
    return undefined;
  }
}

/**
 * Where a file would be made that a path in a reply names: in its folder where the workspace has that, else in the folder
 * of the workspace that it names, else in the first one. Links are not followed: {@link realPathInside} tells where they lead.
 *
 * @returns undefined where something is there, and outside of the workspace.
 */
export async function uriForNewFile(path: string): Promise<Uri | undefined> {
  const slash = path.lastIndexOf('/') + 1;
  const parent = slash === 0 ? undefined : await findInWorkspace(path.slice(0, slash));
  const uri =
    parent?.isFolder === true && !isRoot(parent.uri)
      ? Uri.joinPath(parent.uri, path.slice(slash))
      : await uriInNewFolder(path);
  return uri && (await isFree(uri)) ? uri : undefined;
}

/** A folder that has one of the path's first name keeps the path as it stands: `foo/foo` is as usual as `foo`. */
async function uriInNewFolder(path: string): Promise<Uri | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  const named = folders.find((folder) => candidates(folder, path, '').length > 1);
  const folder = named ?? folders[0];
  if (folder === undefined) return undefined;
  const [asItStands, within] = candidates(folder, path, '');
  const [first = ''] = path.split('/');
  const hasOwn = (await fileTypeOf(Uri.joinPath(folder.uri, first))) !== undefined;
  return hasOwn ? asItStands : (within ?? asItStands);
}

function isRoot(uri: Uri): boolean {
  return (workspace.workspaceFolders ?? []).some(
    (folder) => folder.uri.toString() === uri.toString(),
  );
}

/** Whether nothing is there yet, inside the workspace. */
async function isFree(uri: Uri): Promise<boolean> {
  return workspace.getWorkspaceFolder(uri) !== undefined && (await fileTypeOf(uri)) === undefined;
}

/**
 * Where a file would be moved that a diff renames: both of its paths begin at the same folder, which may be one around the
 * workspace.
 *
 * @param from where the old path was found
 * @returns undefined where something is there, and outside of the workspace.
 */
export async function uriForMovedFile(
  from: Uri,
  oldPath: string,
  newPath: string,
): Promise<Uri | undefined> {
  // A folder may have another name in the workspace than on the disk.
  if (!from.path.endsWith(`/${oldPath}`) || newPath.startsWith('/')) return uriForNewFile(newPath);
  const uri = Uri.joinPath(from, ...oldPath.split('/').map(() => '..'), newPath);
  return (await isFree(uri)) ? uri : undefined;
}

/**
 * The path, with `/`, from a folder of the workspace to where a file really is, or would be made, all links followed.
 *
 * @returns undefined where that is outside of the workspace, or cannot be told.
 */
export async function realPathInside(uri: Uri): Promise<string | undefined> {
  if (workspace.getWorkspaceFolder(uri) === undefined) return undefined;
  if ((await fileTypeOf(uri)) === undefined) {
    const parent = Uri.joinPath(uri, '..');
    const folder = parent.path === uri.path ? undefined : await realPathInside(parent);
    const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
    return folder === '' ? name : folder && `${folder}/${name}`;
  }
  const place = await resolveLinks(uri);
  return place?.isInside === true ? place.path : undefined;
}

/**
 * Where a file lies that is outside the workspace, or that a link inside of it leads to; undefined for one inside, and
 * for one that is not there.
 */
export async function realPathOutside(uri: Uri): Promise<string | undefined> {
  const place = await resolveLinks(uri);
  return place?.isInside === false ? place.path : undefined;
}

/** Where a file is once all links are followed. */
interface ResolvedFile {
  readonly uri: Uri;
  readonly isInside: boolean;
  /** From a folder of the workspace where it is inside. */
  readonly path: string;
}

/** Follows all links. Returns undefined for a file that is not there. */
export async function resolveLinks(uri: Uri): Promise<ResolvedFile | undefined> {
  const folder = workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return { uri, isInside: false, path: uri.path };
  if (uri.scheme !== 'file') return placeWithoutLinks(uri, folder);
  const real = await realpath(uri.fsPath).catch(() => undefined);
  if (real === undefined) return undefined;
  const folders = (workspace.workspaceFolders ?? []).filter((each) => each.uri.scheme === 'file');
  // One that is gone says nothing about the others.
  const roots = folders.map((each) => realpath(each.uri.fsPath).catch(() => each.uri.fsPath));
  const paths = (await Promise.all(roots)).map((root) => path.relative(root, real));
  // The longest of nested folders: no name is left out of it.
  const [inside] = paths.filter(leadsInside).toSorted((a, b) => b.length - a.length);
  const place = { uri: Uri.file(real) };
  if (inside === undefined) return { ...place, isInside: false, path: real };
  return { ...place, isInside: true, path: inside.replaceAll(path.sep, '/') };
}

function leadsInside(relative: string): boolean {
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** On another machine it is not told where a link leads: whatever is behind one counts as outside. */
async function placeWithoutLinks(
  uri: Uri,
  { uri: root }: WorkspaceFolder,
): Promise<ResolvedFile | undefined> {
  const names = namesIn(uri).slice(namesIn(root).length);
  // A backslash parts names as well where the other machine has Windows.
  if (names.some((name) => name === '..' || name.includes('\\')))
    return { uri, isInside: false, path: uri.path };
  let at = root;
  for (const name of names) {
    at = Uri.joinPath(at, name);
    const type = await fileTypeOf(at);
    if (type === undefined) return undefined;
    if ((type & FileType.SymbolicLink) !== 0) return { uri: at, isInside: false, path: at.path };
  }
  return { uri, isInside: true, path: names.join('/') };
}

function namesIn(uri: Uri): readonly string[] {
  return uri.path.split('/').filter((name) => name !== '');
}

/** A file's text as an editor has it: with unsaved changes, and in its encoding. */
export async function textOf(uri: Uri): Promise<string | undefined> {
  try {
    return (await workspace.openTextDocument(uri)).getText();
  } catch {
    return undefined;
  }
}

/**
 * The file that a diff means among those that its path may name: in a workspace of several folders many have a
 * `package.json`. It is the first that its changes fit, else the first, so that the user is told of it what does not fit.
 */
export async function meantFile(
  uris: readonly Uri[],
  fits: (text: string) => boolean,
): Promise<Uri | undefined> {
  if (uris.length > 1)
    for (const uri of uris) {
      const text = await textOf(uri);
      if (text !== undefined && fits(text)) return uri;
    }
  return uris[0];
}
