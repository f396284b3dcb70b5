import { l10n, window } from 'vscode';
import { checkInternId } from '../../api/index.ts';
import { copyToClipboard } from '../../platform/dialogs/statusMessage.ts';
import { confirm } from '../../platform/dialogs/confirm.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/text/format.ts';
import { checkText, internIdMessage } from '../../platform/text/limitMessages.ts';
import { activeAccount } from '../accounts/account.ts';
import type { InternServices } from './internModel.ts';
import type { InternPicker } from './internPicker.ts';

interface InternCommandPorts extends Pick<
  InternServices,
  'accounts' | 'dialogs' | 'interns' | 'registrar'
> {
  readonly picker: InternPicker;
  /** Selects the row of an intern. */
  readonly reveal: (internId: string) => void;
}

/** Registers the commands of the Interns view, except those that create interns (createCommands.ts). */
export function registerInternCommands(ports: InternCommandPorts): void {
  const { accounts, interns, picker, registrar } = ports;
  registrar.register({
    'interns.addIntern': () => addIntern(ports),
    'interns.removeIntern': async (targets) => {
      const account = activeAccount(accounts);
      const ids = await picker.pickMany(targets, l10n.t('Remove from This List'));
      const [first] = ids;
      if (first === undefined) return;
      const question =
        ids.length === 1
          ? l10n.t('Remove {0} from this list?', plainLine(interns.name(first, account)))
          : l10n.t('Remove {0} interns from this list?', formatNumber(ids.length));
      const detail = l10n.t(
        'Nothing changes on the service. You can add an intern again by its ID. Its conversations stay on this machine.',
      );
      if (await confirm(question, detail, l10n.t('Remove'))) await interns.remove(ids, account);
    },
    'interns.copyId': async (targets) => {
      const ids = await picker.pickMany(targets, l10n.t('Copy ID'));
      if (ids.length > 0) await copyToClipboard(ids.join('\n'));
    },
  });
}

async function addIntern(ports: InternCommandPorts): Promise<void> {
  const { accounts, interns, reveal, dialogs } = ports;
  const account = activeAccount(accounts);
  const typed = await dialogs.input({
    title: l10n.t('Add Intern by ID'),
    prompt: l10n.t('ID of an existing intern. Its status appears after your first message.'),
    // Pasting may add white space around it.
    validate: checkText((id) => checkInternId(id.trim()), internIdMessage),
  });
  if (typed.kind !== 'value') return;
  const id = typed.value.trim();
  const wasKnown = await interns.add(id, account);
  reveal(id);
  if (wasKnown) {
    const message = l10n.t('{0} is already in the list.', plainLine(interns.name(id, account)));
    void window.showInformationMessage(message);
  }
}
