import { workspace, type Uri } from 'vscode';

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
