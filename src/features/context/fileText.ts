import { l10n, workspace, FileType, FileSystemError, type TextDocument, type Uri } from 'vscode';
import { MAX_PROMPT_CHARACTERS } from '../../api/index.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/words/format.ts';

/** No file with more bytes than this fits into a prompt, in whatever encoding: a character has at most four. */
const maxFileBytes = MAX_PROMPT_CHARACTERS * 4;

/** The text of a file as the editor has it. */
interface FileText {
  readonly text: string;
  /** The editor's id of its language; absent where the file is not open. */
  readonly languageId?: string;
}

type FileProblem = 'binary' | 'folder' | 'not-a-file' | 'not-found' | 'too-large' | 'unreadable';

/**
 * Reads a file: from its editor where it is open, unsaved changes included, else from its file system and in the
 * encoding that the settings give it. A file that could not fit into a prompt is not read at all.
 */
export async function readFileText(uri: Uri): Promise<Result<FileText, FileProblem>> {
  const document = openDocument(uri);
  if (document !== undefined)
    return ok({ text: document.getText(), languageId: document.languageId });
  if (workspace.fs.isWritableFileSystem(uri.scheme) === undefined) return err('not-a-file');
  try {
    const { type, size } = await workspace.fs.stat(uri);
    if ((type & FileType.Directory) !== 0) return err('folder');
    if (size > maxFileBytes) return err('too-large');
    return await decode(await workspace.fs.readFile(uri), uri);
  } catch (failure) {
    return err(isNotFound(failure) ? 'not-found' : 'unreadable');
  }
}

/** Why a file was not attached, as one plain sentence that names it. */
export function fileProblemSentence(problem: FileProblem, path: string): string {
  const name = plainLine(path, 120);
  return {
    binary: l10n.t('{0} was not attached: it is not a text file.', name),
    folder: l10n.t('{0} was not attached: it is a folder. Attach its files.', name),
    'not-a-file': l10n.t('{0} was not attached: only files can be attached.', name),
    'not-found': l10n.t('{0} was not attached: it is not there.', name),
    'too-large': l10n.t(
      '{0} was not attached: a prompt holds at most {1} characters. Select a part of it in an editor and send that.',
      name,
      formatNumber(MAX_PROMPT_CHARACTERS),
    ),
    unreadable: l10n.t('{0} was not attached: it cannot be read.', name),
  }[problem];
}

function openDocument(uri: Uri): TextDocument | undefined {
  const wanted = uri.toString();
  return workspace.textDocuments.find(
    (document) => !document.isClosed && document.uri.toString() === wanted,
  );
}

async function decode(bytes: Uint8Array, uri: Uri): Promise<Result<FileText, FileProblem>> {
  try {
    return ok({ text: await workspace.decode(bytes, { uri }) });
  } catch {
    return err('binary');
  }
}

function isNotFound(failure: unknown): boolean {
  return failure instanceof FileSystemError && failure.code === 'FileNotFound';
}
