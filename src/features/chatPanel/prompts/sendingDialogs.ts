import { l10n } from 'vscode';
import { isCostLimitReached, type CostSum } from '../../../conversation/costs.ts';
import type { SelfDriveTerm } from '../../../conversation/machine/state.ts';
import { confirm, showModal } from '../../../platform/dialogs/confirm.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';
import type { Dialogs } from '../../../platform/dialogs/dialogs.ts';
import {
  costLabel,
  costOvershootMessage,
  unreportedCostMessage,
} from '../../../platform/text/costs.ts';
import { formatDollars, formatSentences } from '../../../platform/text/format.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';

/** Asks for the cost limit of a conversation, and records it. */
export async function limitCost(
  { conversation }: OpenConversation,
  dialogs: Pick<Dialogs, 'input'>,
): Promise<void> {
  const { cost } = conversation.transcript;
  const soFar = costLabel(cost);
  const typed = await dialogs.input({
    title: l10n.t('Limit Cost of Conversation'),
    prompt: formatSentences([
      l10n.t('Limit in USD. Leave empty for no limit.'),
      soFar !== '' && l10n.t('So far: {0}.', soFar),
      costOvershootMessage(),
    ]),
    value: cost.limit === null ? '' : String(cost.limit),
    validate: (text) =>
      readUsd(text) === undefined
        ? l10n.t('Enter an amount above zero, such as 2.50, or leave it empty.')
        : undefined,
    remark: (text) => {
      const usd = readUsd(text) ?? null;
      return usd === null ? undefined : formatDollars(usd);
    },
  });
  const usd = typed.kind === 'value' ? readUsd(typed.value) : undefined;
  if (usd === undefined || usd === cost.limit) return;
  conversation.record({ type: 'cost-limit', usd });
}

/** The user's consent to send a prompt. */
export interface Consent {
  readonly overrideCostLimit: boolean;
}

/** Asks for consent if the cost limit of the conversation or of the day is reached. @returns undefined without it */
export async function confirmCost(
  cost: CostSum,
  today: Pick<CostSum, 'spent' | 'limit'>,
): Promise<Consent | undefined> {
  const isOfConversation = isCostLimitReached(cost);
  if (!isOfConversation && !isCostLimitReached(today)) return { overrideCostLimit: false };
  const isConfirmed = await confirm(
    isOfConversation
      ? l10n.t('Send anyway? The cost limit is reached.')
      : l10n.t('Send anyway? Today’s cost limit is reached.'),
    formatSentences([
      isOfConversation
        ? l10n.t('This conversation has cost {0}.', costLabel(cost))
        : l10n.t(
            'This account’s conversations have cost {0} today.',
            costLabel({ ...today, unknown: 0 }),
          ),
      costOvershootMessage(),
      unreportedCostMessage(),
    ]),
    l10n.t('Send Anyway'),
  );
  return isConfirmed ? { overrideCostLimit: true } : undefined;
}

/** Reads an amount with a point or a comma: null if it is empty, undefined if it is not above zero. */
export function readUsd(text: string): number | null | undefined {
  const amount = text.trim().replace(/^\$\s*/u, '');
  if (amount === '') return null;
  const usd = /^\d{1,9}([.,]\d{1,6})?$/u.test(amount) ? Number(amount.replace(',', '.')) : 0;
  return usd > 0 ? usd : undefined;
}

/**
 * Asks whether the intern may act without asking, and for how long.
 *
 * @param outlivesWindow whether the run continues while VS Code is closed
 * @returns undefined if the user cancels
 */
export async function chooseSelfDrive(
  internName: string,
  outlivesWindow: boolean,
): Promise<SelfDriveTerm | 'manual' | undefined> {
  const choices = [
    [l10n.t('Keep Manual'), 'manual'],
    [l10n.t('This Prompt Only'), 'this-prompt'],
    [l10n.t('30 Minutes'), '30-minutes'],
    [l10n.t('Until Switched Off'), 'until-switched-off'],
  ] as const;
  const detail = formatSentences([
    l10n.t(
      'The intern will run commands without a sandbox, and every action is approved for you. A run that starts in self-drive stays in it until it ends or you stop it, even after the time is up.',
    ),
    outlivesWindow && l10n.t('The run also continues while VS Code is closed.'),
  ]);
  const question = l10n.t('Let {0} act without asking?', plainLine(internName));
  const chosen = await showModal(
    question,
    detail,
    choices.map(([label]) => label),
  );
  return choices.find(([label]) => label === chosen)?.[1];
}

/** Asks whether to stop a run that the intern will not remember, and to send a prompt in a new session. */
export function confirmNewSession(internName: string): Promise<boolean> {
  return confirm(
    l10n.t('Stop the run? {0} won’t remember it.', plainLine(internName)),
    l10n.t(
      'The service names the session only when a run ends. Your prompt starts a new session without the messages above.',
    ),
    l10n.t('Stop and Send'),
  );
}

/** Asks whether to send a prompt again although its run may still be active, in self-drive. */
export function confirmRunTwice(internName: string): Promise<boolean> {
  return confirm(
    l10n.t('Send the prompt to {0} again?', plainLine(internName)),
    l10n.t(
      'The intern may already be working on it in self-drive. Two runs would then act at once without asking you.',
    ),
    l10n.t('Send Again'),
  );
}
