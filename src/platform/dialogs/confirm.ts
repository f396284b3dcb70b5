import * as vscode from 'vscode';

/**
 * Asks with a modal dialog before something is done that its user may not have meant. Cancel is VS Code's own button.
 *
 * @param button what doing it is called
 */
export async function confirm(question: string, detail: string, button: string): Promise<boolean> {
  const options = { modal: true, detail };
  return (await vscode.window.showWarningMessage(question, options, button)) === button;
}

/** The same for what does no harm, but was asked for by a link. */
export async function confirmLink(
  question: string,
  detail: string,
  button: string,
): Promise<boolean> {
  const options = { modal: true, detail };
  return (await vscode.window.showInformationMessage(question, options, button)) === button;
}
