import { l10n, window } from 'vscode';
import { confirm } from '../../../platform/dialogs/confirm.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../../platform/text/format.ts';
import type { Account } from '../../accounts/account.ts';
import type { PromptContexts } from '../../context/promptContext.ts';
import type { Conversations } from '../../conversations/conversations.ts';
import type { Drafts } from '../../conversations/drafts.ts';
import type { ConversationHead } from '../../conversations/heads.ts';
import type { ChatPages } from '../chatPages.ts';

export interface DeletionPorts {
  readonly conversations: Pick<Conversations, 'delete'>;
  readonly pages: Pick<ChatPages, 'close'>;
  readonly contexts: Pick<PromptContexts, 'forget'>;
  readonly drafts: Pick<Drafts, 'forget'>;
}

type Restore = () => Promise<void>;

export type DeleteConversations = ReturnType<typeof createDeletion>;

/**
 * Returns a function that deletes conversations at once, and offers to undo that. It asks first if one has a run or a
 * question, since that ends for good.
 */
export function createDeletion(ports: DeletionPorts) {
  /** The conversations that were or are being deleted. A second press of Delete has nothing to restore. */
  const deletedIds = new Set<string>();
  return async (account: Account, heads: readonly ConversationHead[]): Promise<void> => {
    const [first] = heads;
    if (first === undefined) return;
    const isUnderWay = heads.some(({ state }) => state === 'working' || state === 'waiting');
    if (isUnderWay && !(await confirmDeletion(first, heads.length))) return;
    const deleted: Restore[] = [];
    const deleting = deleteAll({ ...ports, deletedIds }, account, heads, deleted);
    await deleting.catch(() => undefined);
    // If one cannot be deleted, that is reported at once, and the others can still be restored.
    await Promise.all([deleting, offerUndo(first, deleted)]);
  };
}

/** Adds to `deleted` a function that restores each conversation. Stops at the first failure. */
async function deleteAll(
  {
    conversations,
    pages,
    contexts,
    drafts,
    deletedIds,
  }: DeletionPorts & { deletedIds: Set<string> },
  account: Account,
  heads: readonly ConversationHead[],
  deleted: Restore[],
): Promise<void> {
  for (const { id } of heads) {
    if (deletedIds.has(id)) continue;
    deletedIds.add(id);
    pages.close(id);
    const deleting = conversations.delete(account, id);
    deleting.catch(() => deletedIds.delete(id));
    const restores = [await deleting];
    // Its record can be restored even if the draft can't be removed.
    deleted.push(async () => {
      deletedIds.delete(id);
      for (const restore of restores) await restore();
    });
    contexts.forget(id);
    restores.push(await drafts.forget(account, id));
  }
}

async function offerUndo(first: ConversationHead, deleted: readonly Restore[]): Promise<void> {
  if (deleted.length === 0) return;
  const undo = l10n.t('Undo');
  const chosen = await window.showInformationMessage(
    deleted.length === 1
      ? l10n.t('Deleted “{0}”.', plainLine(first.title, 60))
      : l10n.t('Deleted {0} conversations.', formatNumber(deleted.length)),
    undo,
  );
  if (chosen === undo) await runAll(deleted);
}

/** Runs one task after the other, even if some fail. @throws the first failure */
export async function runAll(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const task of tasks) await task().catch((failure: unknown) => failures.push(failure));
  if (failures.length > 0) throw failures[0];
}

function confirmDeletion({ title }: ConversationHead, count: number): Promise<boolean> {
  return confirm(
    count === 1
      ? l10n.t('Delete the conversation “{0}”?', plainLine(title, 80))
      : l10n.t('Delete {0} conversations?', formatNumber(count)),
    l10n.t(
      'The conversation is deleted from VS Code, and a run in progress stops. The service keeps its copy of the session.',
    ),
    l10n.t('Delete'),
  );
}
