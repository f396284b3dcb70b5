import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

const ACCOUNTS = 'accounts';

/** Folder of the account records, one JSON file each, under the storage of the extension. */
export function accountsDir(storageRoot: string): string {
  return join(storageRoot, ACCOUNTS);
}

/** The folders of an account; `drafts` has one for each workspace with what is begun there and not sent. */
type AccountFolder = 'interns' | 'secrets' | 'creations' | 'conversations' | 'allowed' | 'drafts';

/** Where the things of one account are kept, as absolute paths. None of the folders need exist. */
export type AccountPaths = Readonly<Record<'root' | AccountFolder, string>>;

export function accountPaths(storageRoot: string, accountId: string): AccountPaths {
  const root = join(accountsDir(storageRoot), toFileName(accountId));
  return {
    root,
    interns: join(root, 'interns'),
    secrets: join(root, 'secrets'),
    creations: join(root, 'creations'),
    conversations: join(root, 'conversations'),
    // Versions before 0.3.0 kept open questions beside it, which nothing reads any more.
    allowed: join(root, 'questions', 'allowed'),
    drafts: join(root, 'drafts'),
  };
}

/** The folder of the account that a path lies in; undefined for one that lies in none. Its record is `FOLDER.json`. */
export function accountFolderOf(path: string): string | undefined {
  const parent = dirname(path);
  if (basename(parent) === ACCOUNTS) return path;
  return parent === path ? undefined : accountFolderOf(parent);
}

/** Longest encoded name, in characters: room for an extension and a suffix within the 255 bytes of common file systems. */
const MAX_NAME_CHARACTERS = 120;
const HASH_MARK = '~~';

/** Device names that Windows reserves, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * Makes a file name of any id, the same one on every file system and no other id's: lowercase letters, digits, `-` and
 * `_` stand for themselves, all else is written as `~` and its UTF-16 code units, so that names that differ in case or
 * in normalisation stay apart. An id too long for a file name is hashed; the record inside the file tells it.
 */
export function toFileName(id: string): string {
  const encoded = id.replace(/[^a-z0-9_-]/g, encodeUnit);
  const name = RESERVED.test(encoded) || encoded === '' ? `~-${encoded}` : encoded;
  if (name.length <= MAX_NAME_CHARACTERS) return name;
  return HASH_MARK + createHash('sha256').update(id, 'utf16le').digest('hex');
}

function encodeUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  return code < 0x100
    ? `~${code.toString(16).padStart(2, '0')}`
    : `~u${code.toString(16).padStart(4, '0')}`;
}
