import { l10n } from 'vscode';
import type { InternTarget } from '../../platform/commands/ids.ts';
import {
  pickTarget,
  pickTargets,
  type PickButton,
  type TargetRow,
} from '../../platform/dialogs/pickTargets.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { UserError } from '../../platform/text/reportFailure.ts';
import type { Account } from '../accounts/account.ts';
import type { InternServices } from './internModel.ts';
import {
  type ConversationCounts,
  countsLabel,
  iconFor,
  internStatusLabel,
  nameOf,
  rankInterns,
} from './internState.ts';

interface InternPickerPorts extends Pick<InternServices, 'dialogs' | 'interns'> {
  readonly conversations: ConversationCounts;
}

/** Finds the intern that a command acts on: the one it was called on, else the only one, else the selected one. */
export class InternPicker {
  readonly #ports: InternPickerPorts;

  constructor(ports: InternPickerPorts) {
    this.#ports = ports;
  }

  /**
   * Returns the ID of one intern; undefined if the user left, or pressed `button`.
   *
   * @throws UserError if the list is empty
   */
  pick(
    [target]: readonly InternTarget[],
    title: string,
    button?: PickButton,
  ): Promise<string | undefined> {
    const texts = { title, placeholder: l10n.t('Select an intern') };
    return pickTarget(this.#ports.dialogs, target?.intern, () => this.rows(), texts, button);
  }

  /** Returns the only intern of an account, or the selected one. The list begins with `first`. */
  pickWithFirst(account: Account, first: string, title: string): Promise<string | undefined> {
    const rows = async () => {
      const ranked = await this.rows(account);
      return ranked.toSorted((a, b) => Number(b.value === first) - Number(a.value === first));
    };
    const texts = { title, placeholder: l10n.t('Select an intern') };
    return pickTarget(this.#ports.dialogs, undefined, rows, texts);
  }

  /** Returns the IDs of the interns that a command may act on together; none if the user left. */
  pickMany(targets: readonly InternTarget[], title: string): Promise<readonly string[]> {
    const ids = targets.map(({ intern }) => intern);
    return pickTargets(this.#ports.dialogs, ids, () => this.rows(), {
      title,
      placeholder: l10n.t('Select interns'),
      none: l10n.t('Select at least one intern.'),
    });
  }

  /** Returns the interns of an account, by default the active one, by rank. @throws UserError if there are none */
  async rows(account?: Account): Promise<readonly TargetRow[]> {
    const { interns, conversations } = this.#ports;
    const records = await interns.list(account);
    if (records.length === 0)
      throw new UserError(l10n.t('Your list has no interns yet.'), [
        { label: l10n.t('Create Intern…'), command: 'interns.createIntern' },
        { label: l10n.t('Add Intern by ID…'), command: 'interns.addIntern' },
      ]);
    const ranked = rankInterns(records, conversations.counts());
    return ranked.map(({ intern, record, counts }) => ({
      label: plainLine(nameOf(record)),
      description: [countsLabel(counts), internStatusLabel(record)].filter(Boolean).join(' · '),
      ...(nameOf(record) !== intern && { detail: plainLine(intern) }),
      icon: iconFor(record.status),
      value: intern,
    }));
  }
}
