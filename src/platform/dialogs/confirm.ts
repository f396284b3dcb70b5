import * as vscode from 'vscode';
import { Emitter } from '../../base/disposable.ts';

type Severity = 'warning' | 'information';

const opened = new Emitter<PromiseLike<unknown>>();

/** Fires when a modal dialog opens, with a promise that resolves when it closes. */
export const onDidOpenModal = opened.event;

/**
 * Asks for confirmation with a modal dialog. VS Code adds Cancel.
 *
 * @param severity `information` for something harmless that a link asked for
 */
export async function confirm(
  question: string,
  detail: string,
  button: string,
  severity: Severity = 'warning',
): Promise<boolean> {
  return (await showModal(question, detail, [button], severity)) === button;
}

/** Shows a modal dialog. @returns the chosen button; undefined for Cancel, which VS Code adds */
export function showModal(
  question: string,
  detail: string,
  buttons: readonly string[],
  severity: Severity = 'warning',
): PromiseLike<string | undefined> {
  const { showInformationMessage, showWarningMessage } = vscode.window;
  const show = severity === 'warning' ? showWarningMessage : showInformationMessage;
  const chosen = show(question, { modal: true, detail }, ...buttons);
  opened.fire(chosen);
  return chosen;
}
