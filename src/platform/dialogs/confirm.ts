import * as vscode from 'vscode';

/**
 * Asks for confirmation with a modal dialog. VS Code adds Cancel.
 *
 * @param severity `information` for something harmless that a link asked for
 */
export async function confirm(
  question: string,
  detail: string,
  button: string,
  severity: 'warning' | 'information' = 'warning',
): Promise<boolean> {
  const { showInformationMessage, showWarningMessage } = vscode.window;
  const show = severity === 'warning' ? showWarningMessage : showInformationMessage;
  return (await show(question, { modal: true, detail }, button)) === button;
}
