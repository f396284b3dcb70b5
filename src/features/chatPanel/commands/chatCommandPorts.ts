import type { PendingQuestions } from '../../../conversation/questions/pendingQuestions.ts';
import type { Account, Accounts } from '../../accounts/account.ts';
import type { Dialogs } from '../../../platform/dialogs/dialogs.ts';
import type { InternModel } from '../../interns/internModel.ts';
import type { InternPicker } from '../../interns/internPicker.ts';
import type { ChatPages } from '../chatPages.ts';
import type { ChatTexts } from '../chatTexts.ts';
import type { Conversations } from '../../conversations/conversations.ts';

/** The parts that commands of chats use. */
export interface ChatCommandPorts {
  readonly accounts: Accounts;
  readonly interns: InternModel;
  readonly picker: InternPicker;
  readonly dialogs: Dialogs;
  readonly conversations: Conversations;
  readonly pages: ChatPages;
  readonly pendingQuestions: Pick<PendingQuestions, 'open' | 'reconsider'>;
  readonly texts: ChatTexts;
  /** Removes what is kept of a deleted conversation beside its record: drafts, and what is attached to them. */
  readonly forget: (account: Account, conversation: string) => Promise<void>;
}
