import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { foldedNames, mayBeShortName } from '../../base/pathNames.ts';
import { isHidden } from '../editor/riskyFiles.ts';
import { resolveLinks } from '../editor/workspaceFiles.ts';
import { displayPath } from './fileUris.ts';
import { type GitRepository, openRepositories } from './git.ts';

/** Why the user is asked before a file is attached that a page names. */
type Doubt = 'outside' | 'private' | 'ignored' | 'maybe-ignored';

/** A file that the user is asked about. */
export interface DoubtfulFile {
  readonly uri: vscode.Uri;
  /** Its real path, from a folder of the workspace if it is inside. */
  readonly path: string;
  readonly why: Doubt;
}

/** Names of keys, certificates with keys, and lists of secrets, that are not hidden. */
const privateNames: readonly RegExp[] = [
  /\.(?:age|asc|bcfks|bks|gpg|jceks|jks|kdb|kdbx|key|keystore|keytab|ovpn|p12|p8|pem|pfx|pgp|pkcs12|pkcs8|ppk)$/u,
  /\.(?:env|tfstate|tfvars)(?:\.|$)/u,
  /^id_(?:dsa|ecdsa|ed25519|rsa)/u,
  /(?:^|[-_.])(?:credentials?|htpasswd|passwords?|passwd|secrets?|service-?account)(?:[-_.]|$)/u,
  /^(?:client_secret.*|kubeconfig|shadow|wallet\.dat|local\.settings\.json|auth\.json|tokens?(?:\.(?:json|txt))?)$/u,
];

/** Returns whether a file is likely to hold secrets, by its name: a hidden one, one in a hidden folder, or a key. */
export function isPrivate(path: string): boolean {
  const names = foldedNames(path);
  if (names.some((name) => isHidden(name) || mayBeShortName(name))) return true;
  const name = names.at(-1) ?? '';
  return privateNames.some((pattern) => pattern.test(name));
}

/**
 * Returns those of the files that may not be meant for sharing: outside the workspace, also through a link; private by
 * their names, also by the name that a link leads to; and those that Git ignores, or cannot tell about.
 */
export async function doubtfulFiles(uris: readonly vscode.Uri[]): Promise<readonly DoubtfulFile[]> {
  const files = await Promise.all(uris.map(judgeByPath));
  const unclear = files.filter(({ why }) => why === undefined);
  const ignored = await ignoredByGit(unclear.map(({ real }) => real));
  return files.flatMap(({ uri, path, why, real }) => {
    const doubt = why ?? ignored.get(real);
    return doubt === undefined ? [] : [{ uri, path, why: doubt }];
  });
}

interface JudgedFile {
  readonly uri: vscode.Uri;
  readonly real: vscode.Uri;
  readonly path: string;
  readonly why: Doubt | undefined;
}

/** A file that is not there may still be open in an editor: its own path counts. */
async function judgeByPath(uri: vscode.Uri): Promise<JudgedFile> {
  const shown = displayPath(uri);
  const real = (await resolveLinks(uri)) ?? { uri, isInside: true, path: shown };
  const file = { uri, real: real.uri, path: real.path };
  if (!real.isInside) return { ...file, why: 'outside' };
  const isNamedPrivate = isPrivate(shown) || isPrivate(real.path);
  return { ...file, why: isNamedPrivate ? 'private' : undefined };
}

/** Tells whether Git ignores a file, or may and cannot be asked. */
type Ignored = 'ignored' | 'maybe-ignored';

/**
 * Returns which of the files Git ignores, and which it cannot tell about because it is off or has not opened their
 * repository. Outside of a repository nothing is ignored.
 *
 * @param uris With no link in them.
 */
async function ignoredByGit(
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
