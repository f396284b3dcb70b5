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

/** Returns a function that warns of a full disk, and does so again only after the user has closed the warning. */
export function createFullDiskWarning(): () => void {
  let isOpen = false;
  return () => {
    if (isOpen) return;
    isOpen = true;
    const text = vscode.l10n.t('The disk is full. Free up space, or replies may be lost.');
    void vscode.window.showWarningMessage(text).then(() => (isOpen = false));
  };
}
