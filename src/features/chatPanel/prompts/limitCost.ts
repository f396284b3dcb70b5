import * as vscode from 'vscode';
import { isReached, type CostSum } from '../../../conversation/costs.ts';
import { confirm } from '../../../platform/dialogs/confirm.ts';
import type { Prompts } from '../../../platform/dialogs/prompts.ts';
import { costWords, overshootWords } from '../../../platform/words/costs.ts';
import { formatDollars } from '../../../platform/words/format.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';

/** Limit Cost of Conversation…: asks for the amount, and puts it on record. */
export async function limitCost(
  { conversation }: OpenConversation,
  prompts: Pick<Prompts, 'input'>,
): Promise<void> {
  const { cost } = conversation.transcript;
  const soFar = costWords(cost);
  const typed = await prompts.input({
    title: vscode.l10n.t('Limit Cost of Conversation'),
    prompt: [
      vscode.l10n.t('Amount in USD; empty: none.'),
      ...(soFar === '' ? [] : [vscode.l10n.t('So far: {0}.', soFar)]),
      overshootWords(),
    ].join(' '),
    value: cost.limit === null ? '' : String(cost.limit),
    validate: (text) =>
      readUsd(text) === undefined
        ? vscode.l10n.t('Enter an amount above zero such as 2.50, or nothing.')
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

/** Asks whether a prompt may go out though the limit is reached. @returns whether the user said so, or need not */
export async function agreeToCost(cost: CostSum): Promise<boolean> {
  if (!isReached(cost)) return true;
  return confirm(
    vscode.l10n.t('Send though the cost limit is reached?'),
    `${vscode.l10n.t('This conversation has cost {0}.', costWords(cost))} ${overshootWords()}`,
    vscode.l10n.t('Send Anyway'),
  );
}

/** An amount as people type it, a comma as its point too: null for none, undefined for what is no amount above zero. */
export function readUsd(text: string): number | null | undefined {
  const amount = text.trim().replace(/^\$\s*/u, '');
  if (amount === '') return null;
  const usd = /^\d{1,9}([.,]\d{1,6})?$/u.test(amount) ? Number(amount.replace(',', '.')) : 0;
  return usd > 0 ? usd : undefined;
}
