import * as vscode from 'vscode';
import type { InternTarget } from '../../platform/commands/ids.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { pickTarget, pickTargets, type TargetRow } from '../../platform/dialogs/pickTargets.ts';
import type { Dialogs } from '../../platform/dialogs/dialogs.ts';
import { locale } from '../../platform/words/format.ts';
import { UserError } from '../../platform/words/report.ts';
import type { ConversationSource } from './conversationSource.ts';
import type { InternModel } from './internModel.ts';
import {
  iconFor,
  nameOf,
  pendingWords,
  rankInterns,
  statusWords,
  type RankedIntern,
} from './internState.ts';

interface InternPickerPorts {
  readonly interns: InternModel;
  readonly conversations: ConversationSource;
  readonly dialogs: Dialogs;
}

/** Finds the intern that a command acts on: the one it was called on, else the only one, else the one picked. */
export class InternPicker {
  readonly #ports: InternPickerPorts;

  constructor(ports: InternPickerPorts) {
    this.#ports = ports;
  }

  /**
   * The id of one intern; undefined where the user left.
   *
   * @param title What the intern is picked for.
   * @throws UserError where the list is empty.
   */
  pick([target]: readonly InternTarget[], title: string): Promise<string | undefined> {
    const placeholder = vscode.l10n.t('Pick an intern');
    const rows = () => this.rows();
    return pickTarget(this.#ports.dialogs, target?.intern, rows, { title, placeholder });
  }

  /** Does the same for a command that may act on several; none if the user left. */
  pickMany(targets: readonly InternTarget[], title: string): Promise<readonly string[]> {
    const ids = targets.map(({ intern }) => intern);
    return pickTargets(this.#ports.dialogs, ids, () => this.rows(), {
      title,
      placeholder: vscode.l10n.t('Pick interns'),
      none: vscode.l10n.t('Pick at least one intern.'),
    });
  }

  /** The interns of the list, those that wait for their user first. @throws UserError where there are none. */
  async rows(): Promise<readonly TargetRow[]> {
    const records = await this.#ports.interns.list();
    if (records.length === 0) {
      throw new UserError(vscode.l10n.t('There are no interns in this list yet.'), [
        { label: vscode.l10n.t('Create Intern…'), command: 'interns.createIntern' },
        { label: vscode.l10n.t('Add Intern by ID…'), command: 'interns.addIntern' },
      ]);
    }
    const { conversations } = this.#ports;
    return rankInterns(records, conversations.pendingQuestions(), locale()).map(toRow);
  }
}

function toRow({ record, pending }: RankedIntern): TargetRow {
  const name = nameOf(record);
  return {
    label: plainLine(name),
    description: [pendingWords(pending), statusWords(record)].filter(Boolean).join(' · '),
    ...(name !== record.id && { detail: plainLine(record.id) }),
    icon: iconFor(record.status),
    value: record.id,
  };
}
