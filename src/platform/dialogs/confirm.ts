import * as vscode from 'vscode';

/**
 * Asks with a modal dialog before something is done that its user may not have meant. Cancel is VS Code's own button.
 *
 * @param button what doing it is called
 * @param severity `information` for what does no harm, but was asked for by a link
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
