import * as vscode from 'vscode';

const SHOWN = 'interns.keptRunsShown';

/** Says once that a run continued without a window, and offers to stop runs when VS Code closes. */
export async function showUnattendedRunNotice(state: vscode.Memento): Promise<void> {
  if (state.get(SHOWN) === true) return;
  await state.update(SHOWN, true);
  const keep = vscode.l10n.t('Keep');
  const stop = vscode.l10n.t('Stop Runs When I Close VS Code');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('A run continued while VS Code was closed.'),
    keep,
    stop,
  );
  if (chosen !== stop) return;
  const settings = vscode.workspace.getConfiguration('interns');
  await settings.update('keepRuns', 'untilClosed', vscode.ConfigurationTarget.Global);
}

let isDiskWarningOpen = false;

/** Says that replies cannot be written. Says so again only after the user has closed the message. */
export async function warnOfFullDisk(): Promise<void> {
  if (isDiskWarningOpen) return;
  isDiskWarningOpen = true;
  await vscode.window.showWarningMessage(
    vscode.l10n.t('The disk is full. Free up space, or replies may be lost.'),
  );
  isDiskWarningOpen = false;
}
