import { realpath } from 'node:fs/promises';
import { Uri } from 'vscode';
import { foldedNames, mayBeShortName } from '../../base/pathNames.ts';
import { type GitRepository, openRepositories } from '../../platform/gitExtension.ts';
import { fileTypeOf, resolveLinks } from '../editor/workspaceFiles.ts';
import { displayPath } from './fileUris.ts';

/** The reason to ask the user before a page attaches a file. */
type Sensitivity = 'outside' | 'private' | 'ignored' | 'maybe-ignored';

export interface SensitiveFile {
  readonly uri: Uri;
  /** The real path, relative to the workspace if the file is inside. */
  readonly path: string;
  readonly why: Sensitivity;
}

/** Names of keys, certificates and lists of secrets that do not start with a dot. */
const PRIVATE_NAMES: readonly RegExp[] = [
  /\.(?:age|asc|bcfks|bks|gpg|jceks|jks|kdb|kdbx|key|keystore|keytab|ovpn|p12|p8|pem|pfx|pgp|pkcs12|pkcs8|ppk)$/u,
  /\.(?:env|tfstate|tfvars)(?:\.|$)/u,
  /^id_(?:dsa|ecdsa|ed25519|rsa)/u,
  /(?:^|[-_.])(?:credentials?|htpasswd|passwords?|passwd|secrets?|service-?account)(?:[-_.]|$)/u,
  /^(?:client_secret.*|kubeconfig|shadow|wallet\.dat|local\.settings\.json|auth\.json|tokens?(?:\.(?:json|txt))?)$/u,
];

/** Returns whether a file is likely to contain secrets: it is hidden, in a hidden folder, or named like a key. */
export function isPrivate(path: string): boolean {
  const names = foldedNames(path);
  if (names.some((name) => name.startsWith('.') || mayBeShortName(name))) return true;
  const name = names.at(-1) ?? '';
  return PRIVATE_NAMES.some((pattern) => pattern.test(name));
}

/**
 * Returns the files that may not be meant for sharing: those outside the workspace, those with a private name, and those
 * that Git ignores or may ignore. Links are resolved.
 */
export async function findSensitiveFiles(uris: readonly Uri[]): Promise<readonly SensitiveFile[]> {
  const files = await Promise.all(uris.map(judgeByPath));
  const unclear = files.filter(({ why }) => why === undefined);
  const ignored = await ignoredByGit(unclear.map(({ real }) => real));
  return files.flatMap(({ uri, real, path, why = ignored.get(real) }) =>
    why === undefined ? [] : [{ uri, path, why }],
  );
}

async function judgeByPath(uri: Uri) {
  const shown = displayPath(uri);
  // A file that is gone may still be open in an editor.
  const real = (await resolveLinks(uri)) ?? { uri, path: shown, isInside: true };
  const ofName = isPrivate(shown) || isPrivate(real.path) ? 'private' : undefined;
  const why: Sensitivity | undefined = real.isInside ? ofName : 'outside';
  return { uri, real: real.uri, path: real.path, why };
}

/**
 * Returns the files that Git ignores, and those in repositories that Git has not opened or cannot read. Files outside of
 * repositories are not ignored.
 *
 * @param uris without links
 */
async function ignoredByGit(uris: readonly Uri[]): Promise<ReadonlyMap<Uri, Sensitivity>> {
  const roots = await Promise.all(uris.map(repositoryRootOf));
  if (roots.every((root) => root === undefined)) return new Map();
  const repositories = await openRepositories().catch(() => []);
  const realRoots = await Promise.all(repositories.map(({ rootUri }) => realPathOf(rootUri)));
  const found = new Map<Uri, Sensitivity>();
  for (const root of new Set(roots)) {
    if (root === undefined) continue;
    const files = uris.filter((_, index) => roots[index] === root);
    const repository = repositories[realRoots.indexOf(root)];
    const ignored = repository && (await ignoredIn(repository, root, files));
    for (const file of files)
      if (ignored === undefined) found.set(file, 'maybe-ignored');
      else if (ignored.has(file)) found.set(file, 'ignored');
  }
  return found;
}

/** Returns the path of the innermost folder around a file that has a `.git`. */
async function repositoryRootOf(uri: Uri): Promise<string | undefined> {
  const folder = Uri.joinPath(uri, '..');
  if (folder.path === uri.path) return undefined;
  const isRoot = (await fileTypeOf(Uri.joinPath(folder, '.git'))) !== undefined;
  return isRoot ? folder.path : repositoryRootOf(folder);
}

async function realPathOf(root: Uri): Promise<string> {
  if (root.scheme !== 'file') return root.path;
  const real = await realpath(root.fsPath).catch(() => root.fsPath);
  return Uri.file(real).path;
}

/** Returns the files that a repository ignores; undefined if Git fails. */
async function ignoredIn(
  repository: GitRepository,
  root: string,
  files: readonly Uri[],
): Promise<ReadonlySet<Uri> | undefined> {
  // Git accepts only paths below its own path of the repository, which may contain links.
  const paths = files.map(
    ({ path }) => Uri.joinPath(repository.rootUri, path.slice(root.length)).fsPath,
  );
  try {
    // VS Code may lose what Git prints last, because it waits for the process and not for its output.
    const answers = await Promise.all([
      repository.checkIgnore(paths),
      repository.checkIgnore(paths),
    ]);
    const isIgnored = (path = '') => answers.some((ignored) => ignored.has(path));
    return new Set(files.filter((_, index) => isIgnored(paths[index])));
  } catch {
    return undefined;
  }
}
