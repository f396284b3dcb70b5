import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { openRepositories, type GitRepository } from './git.ts';

/** Tells whether Git ignores a file, or may and cannot be asked. */
type Ignored = 'ignored' | 'maybe-ignored';

/**
 * Returns which of the files Git ignores, and which it cannot tell about because it is off or has not opened their
 * repository. Outside of a repository nothing is ignored.
 *
 * @param uris With no link in them.
 */
export async function ignoredByGit(
  uris: readonly vscode.Uri[],
): Promise<ReadonlyMap<vscode.Uri, Ignored>> {
  const roots = await repositoryRoots(uris);
  if (roots.size === 0) return new Map();
  const repositories = await openRepositories().catch(() => []);
  const open = await Promise.all(
    repositories.map(async (repository) => ({
      repository,
      real: await realPathOf(repository.rootUri),
    })),
  );
  const found = new Map<vscode.Uri, Ignored>();
  for (const [root, files] of roots) {
    const { repository } = open.find(({ real }) => real === root) ?? {};
    const ignored = repository && (await ignoredIn(repository, root, files));
    for (const file of files)
      if (ignored === undefined) found.set(file, 'maybe-ignored');
      else if (ignored.has(file)) found.set(file, 'ignored');
  }
  return found;
}

/** The files of each repository, by the path of its root. */
async function repositoryRoots(
  uris: readonly vscode.Uri[],
): Promise<ReadonlyMap<string, readonly vscode.Uri[]>> {
  const known = new Map<string, Promise<string | undefined>>();
  const rootOf = (folder: vscode.Uri): Promise<string | undefined> => {
    const key = folder.toString();
    const root = known.get(key) ?? findRoot(folder);
    known.set(key, root);
    return root;
  };
  const findRoot = async (folder: vscode.Uri): Promise<string | undefined> => {
    const git = vscode.Uri.joinPath(folder, '.git');
    const isRoot = await Promise.resolve(vscode.workspace.fs.stat(git)).then(
      () => true,
      () => false,
    );
    if (isRoot) return folder.path;
    const parent = vscode.Uri.joinPath(folder, '..');
    return parent.path === folder.path ? undefined : rootOf(parent);
  };
  const groups = new Map<string, vscode.Uri[]>();
  const folders = uris.map((uri) => rootOf(vscode.Uri.joinPath(uri, '..')));
  for (const [index, root] of (await Promise.all(folders)).entries()) {
    const uri = uris[index];
    if (uri === undefined || root === undefined) continue;
    const files = groups.get(root) ?? [];
    files.push(uri);
    groups.set(root, files);
  }
  return groups;
}

async function realPathOf(root: vscode.Uri): Promise<string> {
  if (root.scheme !== 'file') return root.path;
  const real = await realpath(root.fsPath).catch(() => root.fsPath);
  return vscode.Uri.file(real).path;
}

/** The files that a repository ignores; undefined if Git fails to say. */
async function ignoredIn(
  repository: GitRepository,
  root: string,
  files: readonly vscode.Uri[],
): Promise<ReadonlySet<vscode.Uri> | undefined> {
  // Git knows the repository by its own path, which may lead through a link, and leaves out what is not below it.
  const paths = files.map(
    ({ path }) => vscode.Uri.joinPath(repository.rootUri, path.slice(root.length)).fsPath,
  );
  try {
    const ignored = await repository.checkIgnore(paths);
    return new Set(files.filter((_, index) => ignored.has(paths[index] ?? '')));
  } catch {
    return undefined;
  }
}
