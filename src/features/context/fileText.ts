import { l10n, workspace, FileType, FileSystemError, type Uri } from 'vscode';
import { MAX_PROMPT_CHARACTERS } from '../../api/index.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/text/format.ts';
import { displayPath } from './fileUris.ts';

/** Maximum number of bytes of a file that can fit into a prompt: no encoding takes more than four for a character. */
const MAX_FILE_BYTES = MAX_PROMPT_CHARACTERS * 4;

interface FileText {
  readonly text: string;
  /** Set for files that are open in an editor. */
  readonly languageId?: string;
}

/**
 * Reads a file: an open one from its editor, with unsaved changes, else from its file system in the configured encoding.
 * A file that is too large for a prompt is not read. The error is a message that says why the file cannot be attached.
 */
export async function readFileText(uri: Uri): Promise<Result<FileText, string>> {
  const key = uri.toString();
  const name = plainLine(displayPath(uri), 120);
  const document = workspace.textDocuments.find(
    (each) => !each.isClosed && each.uri.toString() === key,
  );
  if (document !== undefined)
    return ok({ text: document.getText(), languageId: document.languageId });
  if (workspace.fs.isWritableFileSystem(uri.scheme) === undefined)
    return err(l10n.t('Couldn’t attach {0}. Only files can be attached.', name));
  let bytes: Uint8Array;
  try {
    const { type, size } = await workspace.fs.stat(uri);
    if ((type & FileType.Directory) !== 0)
      return err(l10n.t('Couldn’t attach {0}. It’s a folder. Attach its files instead.', name));
    if (size > MAX_FILE_BYTES)
      return err(
        l10n.t(
          'Couldn’t attach {0}. A prompt has at most {1} characters. Add a selection instead.',
          name,
          formatNumber(MAX_PROMPT_CHARACTERS),
        ),
      );
    bytes = await workspace.fs.readFile(uri);
  } catch (failure) {
    const isMissing = failure instanceof FileSystemError && failure.code === 'FileNotFound';
    return err(
      isMissing
        ? l10n.t('Couldn’t attach {0}. The file wasn’t found.', name)
        : l10n.t('Couldn’t attach {0}. The file couldn’t be read.', name),
    );
  }
  try {
    return ok({ text: await workspace.decode(bytes, { uri }) });
  } catch {
    return err(l10n.t('Couldn’t attach {0}. It isn’t a text file.', name));
  }
}
