import type { Uri } from 'vscode';
import { foldedNames, mayBeShortName } from '../../base/pathNames.ts';
import { isHidden } from '../editor/riskyFiles.ts';
import { realPlace } from '../editor/workspaceFiles.ts';
import { ignoredByGit } from './ignoredByGit.ts';
import { displayPath } from './places.ts';

/** Why the user is asked before a file is attached that a page names. */
type Doubt = 'outside' | 'private' | 'ignored' | 'maybe-ignored';

/** A file that the user is asked about. */
export interface DoubtfulFile {
  readonly uri: Uri;
  /** Its real path, from a folder of the workspace if it is inside. */
  readonly place: string;
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
export async function doubtfulFiles(uris: readonly Uri[]): Promise<readonly DoubtfulFile[]> {
  const files = await Promise.all(uris.map(judgeByPath));
  const unclear = files.filter(({ why }) => why === undefined);
  const ignored = await ignoredByGit(unclear.map(({ real }) => real));
  return files.flatMap(({ uri, place, why, real }) => {
    const doubt = why ?? ignored.get(real);
    return doubt === undefined ? [] : [{ uri, place, why: doubt }];
  });
}

interface JudgedFile {
  readonly uri: Uri;
  readonly real: Uri;
  readonly place: string;
  readonly why: Doubt | undefined;
}

/** A file that is not there may still be open in an editor: its own path counts. */
async function judgeByPath(uri: Uri): Promise<JudgedFile> {
  const shown = displayPath(uri);
  const real = (await realPlace(uri)) ?? { uri, isInside: true, path: shown };
  const file = { uri, real: real.uri, place: real.path };
  if (!real.isInside) return { ...file, why: 'outside' };
  const isNamedPrivate = isPrivate(shown) || isPrivate(real.path);
  return { ...file, why: isNamedPrivate ? 'private' : undefined };
}
