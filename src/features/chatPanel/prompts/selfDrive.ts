import * as vscode from 'vscode';
import type { SelfDriveTerm } from '../../../conversation/machine/state.ts';
import { confirm } from '../../../platform/dialogs/confirm.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';

/**
 * Asks whether the intern may act without asking, and for how long.
 *
 * @returns undefined where the user chose nothing.
 */
export async function agreeToSelfDrive(
  internName: string,
): Promise<SelfDriveTerm | 'manual' | undefined> {
  const choices: readonly (readonly [label: string, choice: SelfDriveTerm | 'manual'])[] = [
    [vscode.l10n.t('Stay with Manual'), 'manual'],
    [vscode.l10n.t('This Prompt Only'), 'this-prompt'],
    [vscode.l10n.t('30 Minutes'), '30-minutes'],
    [vscode.l10n.t('Until Switched Off'), 'until-switched-off'],
  ];
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Let {0} act without asking?', plainLine(internName)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'In self-drive the service consents to everything on your behalf, and the intern runs its shell without a sandbox. A run that was begun in self-drive goes on in it until it ends or you stop it, also when the time is up.',
      ),
    },
    ...choices.map(([label]) => label),
  );
  return choices.find(([label]) => label === chosen)?.[1];
}

/** Asks whether a prompt may go out again though the run that it started may be going on, in self-drive. */
export function agreeToRunTwice(internName: string): Promise<boolean> {
  return confirm(
    vscode.l10n.t('Send the prompt to {0} again?', plainLine(internName)),
    vscode.l10n.t(
      'The intern may be working on it already, in self-drive. Two runs would then act side by side, and nothing would ask you.',
    ),
    vscode.l10n.t('Send Again'),
  );
}
