import * as vscode from 'vscode';

/** Says that the extension could not start: nothing of it works then, not even its log. */
export function tellStartFailure(failure: unknown): void {
  const reason = failure instanceof Error ? failure.message : String(failure);
  void vscode.window.showErrorMessage(
    vscode.l10n.t('Interns could not start. Reload the window, or install it again. {0}', reason),
  );
}
