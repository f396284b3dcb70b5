import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { FileType, Uri, workspace, type WorkspaceFolder } from 'vscode';
import { repositoryRoots } from '../../platform/gitExtension.ts';

interface FoundFile {
  readonly uri: Uri;
  readonly isFolder: boolean;
}

/**
 * Finds the file or folder that a path in a reply means. Looks only inside the workspace, so that no path can make this
 * machine contact another one.
 *
 * @param path absolute, or relative to a folder of the workspace, a folder around it, or a repository inside of it; may
 *   start with the name of a workspace folder
 * @param authority the host of the path; empty for the host of the workspace
 */
export async function findInWorkspace(
  path: string,
  authority = '',
): Promise<FoundFile | undefined> {
  const { value } = await allInWorkspace(path, authority).next();
  return value;
}

/** Finds all files that a path in a reply may mean. See {@link findInWorkspace}. */
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
      if (type === undefined || (await resolveLinks(uri))?.isInside === false) continue;
      yield { uri, isFolder: (type & FileType.Directory) !== 0 };
    }
  }
  return undefined;
}

/** Returns the repositories inside the workspace, because Git's paths are relative to them. */
function innerRepositories(): readonly Root[] {
  return repositoryRoots()
    .filter((uri) => workspace.getWorkspaceFolder(uri) !== undefined && !isRoot(uri))
    .map((uri) => ({ uri, name: pathSegments(uri).at(-1) ?? '' }));
}

/** A folder to which paths may be relative. */
type Root = Pick<WorkspaceFolder, 'uri' | 'name'>;

/** Resolves a path in a folder in several ways: as it is, then without leading names of the folder's own path. */
function candidates({ uri, name }: Root, path: string, authority: string): readonly Uri[] {
  if (authority !== '' && authority !== uri.authority) return [];
  // `joinPath` resolves `..`, so the caller can check that the URI is inside.
  if (path.startsWith('/')) return [Uri.joinPath(uri.with({ path: '/' }), path)];
  const names = pathSegments(uri);
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
 * Returns the URI for a new file: in its folder if that exists, else in the workspace folder that the path names, else in
 * the first one. Returns undefined if the file exists or is outside the workspace. Links are not resolved.
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

/** Drops a leading workspace folder's name, unless that folder contains one of the same name. */
async function uriInNewFolder(path: string): Promise<Uri | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  const named = folders.find((folder) => candidates(folder, path, '').length > 1);
  const folder = named ?? folders[0];
  if (folder === undefined) return undefined;
  const [asWritten, within] = candidates(folder, path, '');
  const [first = ''] = path.split('/');
  const hasOwn = (await fileTypeOf(Uri.joinPath(folder.uri, first))) !== undefined;
  return hasOwn ? asWritten : (within ?? asWritten);
}

function isRoot(uri: Uri): boolean {
  return (workspace.workspaceFolders ?? []).some(
    (folder) => folder.uri.toString() === uri.toString(),
  );
}

/** Returns whether a file can be created: it is inside the workspace and does not exist. */
async function isFree(uri: Uri): Promise<boolean> {
  return workspace.getWorkspaceFolder(uri) !== undefined && (await fileTypeOf(uri)) === undefined;
}

/**
 * Returns the URI for a file that a diff renames. Both paths are relative to the same folder, which may be around the
 * workspace. Returns undefined if the file exists or is outside the workspace.
 *
 * @param from the file at the old path
 */
export async function uriForMovedFile(
  from: Uri,
  oldPath: string,
  newPath: string,
): Promise<Uri | undefined> {
  // A workspace folder's name may differ from that on disk.
  if (!from.path.endsWith(`/${oldPath}`) || newPath.startsWith('/')) return uriForNewFile(newPath);
  const uri = Uri.joinPath(from, ...oldPath.split('/').map(() => '..'), newPath);
  return (await isFree(uri)) ? uri : undefined;
}

/**
 * Returns the real path, relative to the workspace and with `/`, of a file that may not exist yet. Returns undefined if it
 * is outside the workspace or unknown.
 */
export async function realPathInside(uri: Uri): Promise<string | undefined> {
  if (workspace.getWorkspaceFolder(uri) === undefined) return undefined;
  if ((await fileTypeOf(uri)) === undefined) {
    const parent = Uri.joinPath(uri, '..');
    const folder = parent.path === uri.path ? undefined : await realPathInside(parent);
    const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
    return folder === '' ? name : folder && `${folder}/${name}`;
  }
  const real = await resolveLinks(uri);
  return real?.isInside === true ? real.path : undefined;
}

interface ResolvedFile {
  readonly uri: Uri;
  readonly isInside: boolean;
  /** Relative to the workspace if the file is inside. */
  readonly path: string;
}

/** Resolves all links of a path. Returns undefined for a missing file. */
export async function resolveLinks(uri: Uri): Promise<ResolvedFile | undefined> {
  const folder = workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return { uri, isInside: false, path: uri.path };
  if (uri.scheme !== 'file') return checkRemoteLinks(uri, folder);
  const real = await realpath(uri.fsPath).catch(() => undefined);
  if (real === undefined) return undefined;
  const folders = (workspace.workspaceFolders ?? []).filter((each) => each.uri.scheme === 'file');
  const roots = folders.map((each) => realpath(each.uri.fsPath).catch(() => each.uri.fsPath));
  const paths = (await Promise.all(roots)).map((root) => path.relative(root, real));
  // If folders are nested, the outer one gives the whole path.
  const [inside] = paths.filter(leadsInside).toSorted((a, b) => b.length - a.length);
  const isInside = inside !== undefined;
  return { uri: Uri.file(real), isInside, path: inside?.replaceAll(path.sep, '/') ?? real };
}

function leadsInside(relative: string): boolean {
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** On another machine links cannot be resolved, so everything behind a link counts as outside. */
async function checkRemoteLinks(
  uri: Uri,
  { uri: root }: WorkspaceFolder,
): Promise<ResolvedFile | undefined> {
  const names = pathSegments(uri).slice(pathSegments(root).length);
  // A backslash is a separator if the other machine runs Windows.
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

function pathSegments(uri: Uri): readonly string[] {
  return uri.path.split('/').filter((name) => name !== '');
}

/** Returns a file's text with unsaved changes, decoded by VS Code. */
export async function readDocumentText(uri: Uri): Promise<string | undefined> {
  try {
    return (await workspace.openTextDocument(uri)).getText();
  } catch {
    return undefined;
  }
}

/**
 * Chooses among the files that a diff's path may mean, because several folders may have a `package.json`: the first one
 * that the changes fit, else the first one.
 */
export async function findFittingFile(
  uris: readonly Uri[],
  fits: (text: string) => boolean,
): Promise<Uri | undefined> {
  if (uris.length > 1)
    for (const uri of uris) {
      const text = await readDocumentText(uri);
      if (text !== undefined && fits(text)) return uri;
    }
  return uris[0];
}
