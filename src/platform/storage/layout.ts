import { createHash, randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { Memento, workspace } from 'vscode';

const ACCOUNTS_FOLDER = 'accounts';

/** Returns the folder of the account records, one JSON file each. */
export function accountsDir(storageRoot: string): string {
  return join(storageRoot, ACCOUNTS_FOLDER);
}

/** The folders of an account, relative to its own. */
const ACCOUNT_FOLDERS = {
  root: '.',
  interns: 'interns',
  secrets: 'secrets',
  creations: 'creations',
  conversations: 'conversations',
  heads: 'conversations/heads',
  /** Responses that a stream keeper wrote, until they are on record. */
  responses: 'responses',
  // Versions before 0.3.0 kept open questions in `questions`.
  allowed: 'questions/allowed',
  /** Has a folder for each workspace. */
  drafts: 'drafts',
} as const;

/** Absolute paths of the folders of an account, which need not exist. */
export type AccountPaths = Readonly<Record<keyof typeof ACCOUNT_FOLDERS, string>>;

export function accountPaths(storageRoot: string, accountId: string): AccountPaths {
  const root = join(accountsDir(storageRoot), toFileName(accountId));
  const paths = Object.entries(ACCOUNT_FOLDERS).map(([name, folder]) => [name, join(root, folder)]);
  return Object.fromEntries(paths) as AccountPaths;
}

/** Returns the account folder that contains a path, if any. The account's record is `FOLDER.json`. */
export function accountFolderOf(path: string): string | undefined {
  const parent = dirname(path);
  if (basename(parent) === ACCOUNTS_FOLDER) return path;
  return parent === path ? undefined : accountFolderOf(parent);
}

/** Returns the ID of this workspace, the name of its folder of drafts. It stays the same. */
export function workspaceId(state: Memento): string {
  const known: unknown = state.get('workspace');
  if (typeof known === 'string') return known;
  const id = randomUUID();
  void state.update('workspace', id);
  return id;
}

/** Returns the URI of a workspace: of its file if it has one, otherwise of its folder; undefined for an empty window. */
export function workspaceUri({
  workspaceFile,
  workspaceFolders,
}: Pick<typeof workspace, 'workspaceFile' | 'workspaceFolders'>): string | undefined {
  return (workspaceFile ?? workspaceFolders?.[0]?.uri)?.toString();
}

/** Longest encoded name, in characters. Common file systems allow 255 bytes, extension and suffix included. */
const MAX_NAME_CHARACTERS = 120;
const HASH_MARK = '~~';

/** Device names that Windows reserves, with any extension. */
export const RESERVED_NAME = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * Returns a file name for any ID, unique and the same on every file system. Lowercase letters, digits, `-` and `_` stay;
 * all else becomes `~` and UTF-16 code units, so that names that differ in case or normalization stay different. An ID
 * too long for a file name is hashed; the record in the file holds it.
 */
export function toFileName(id: string): string {
  const encoded = id.replace(/[^a-z0-9_-]/g, encodeUnit);
  const name = RESERVED_NAME.test(encoded) || encoded === '' ? `~-${encoded}` : encoded;
  if (name.length <= MAX_NAME_CHARACTERS) return name;
  return HASH_MARK + createHash('sha256').update(id, 'utf16le').digest('hex');
}

function encodeUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  return code < 0x100
    ? `~${code.toString(16).padStart(2, '0')}`
    : `~u${code.toString(16).padStart(4, '0')}`;
}
