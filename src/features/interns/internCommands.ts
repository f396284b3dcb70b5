import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { confirm } from '../../platform/dialogs/confirm.ts';
import type { CommandRegistrar } from '../../platform/commands/registrar.ts';
import { copyText } from '../../platform/dialogs/announce.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { Dialogs } from '../../platform/dialogs/dialogs.ts';
import { formatNumber } from '../../platform/words/format.ts';
import { internIdProblem } from './createValues.ts';
import type { InternModel } from './internModel.ts';
import type { InternPicker } from './internPicker.ts';
import type { InternsView } from './internsView.ts';

interface InternCommandPorts {
  readonly interns: InternModel;
  readonly picker: InternPicker;
  readonly view: InternsView;
  readonly dialogs: Dialogs;
}

/** Registers the commands of the Interns view, but for creating (createCommands.ts). */
export function registerInternCommands(
  registrar: CommandRegistrar,
  ports: InternCommandPorts,
): Disposable {
  const { interns, picker, view } = ports;
  return registrar.registerAll({
    'interns.addIntern': () => addIntern(ports),
    'interns.removeIntern': async (targets) =>
      removeInterns(
        interns,
        await picker.pickMany(targets, vscode.l10n.t('Remove from This List')),
      ),
    'interns.copyId': async (targets) => {
      const ids = await picker.pickMany(targets, vscode.l10n.t('Copy Id'));
      if (ids.length > 0) await copyText(ids.join('\n'));
    },
    'interns.groupByStatus': () => view.group(true),
    'interns.ungroup': () => view.group(false),
    'interns.showArchived': () => view.showArchived(true),
    'interns.hideArchived': () => view.showArchived(false),
  });
}

async function addIntern({ interns, view, dialogs }: InternCommandPorts): Promise<void> {
  const typed = await dialogs.input({
    title: vscode.l10n.t('Add Intern by ID'),
    prompt: vscode.l10n.t(
      'The id of an intern that was created elsewhere. The service cannot be asked about it: what it is doing shows in its first chat.',
    ),
    validate: internIdProblem,
  });
  if (typed.kind !== 'value') return;
  const id = typed.value.trim();
  const kept = await interns.add(id);
  view.reveal(id);
  if (kept === 'known') {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('{0} is in the list already.', plainLine(interns.name(id))),
    );
  }
}

async function removeInterns(interns: InternModel, ids: readonly string[]): Promise<void> {
  const [first] = ids;
  if (first === undefined) return;
  const question =
    ids.length === 1
      ? vscode.l10n.t('Remove {0} from this list?', plainLine(interns.name(first)))
      : vscode.l10n.t('Remove {0} interns from this list?', formatNumber(ids.length));
  const detail = vscode.l10n.t(
    'Nothing changes on the service: an intern goes on as it is, and can be added again by its id. Its conversations stay on this machine.',
  );
  if (await confirm(question, detail, vscode.l10n.t('Remove'))) await interns.remove(ids);
}
