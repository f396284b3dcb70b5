import * as vscode from 'vscode';
import { plainLine } from '../dialogs/plainText.ts';

/**
 * Asks once in a conversation whether the intern may act without asking.
 *
 * @returns undefined where the user chose neither.
 */
export async function agreeToSelfDrive(
  internName: string,
): Promise<'self-drive' | 'manual' | undefined> {
  const selfDrive = vscode.l10n.t('Use Self-drive');
  const manual = vscode.l10n.t('Stay with Manual');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Let {0} act without asking?', plainLine(internName)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'In self-drive the service consents to everything on your behalf, and the intern runs its shell without a sandbox. You are asked this once in each conversation.',
      ),
    },
    manual,
    selfDrive,
  );
  if (chosen === selfDrive) return 'self-drive';
  return chosen === manual ? 'manual' : undefined;
}
