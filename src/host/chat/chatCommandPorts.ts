import type { Accounts } from '../auth/account.ts';
import type { Prompts } from '../dialogs/steps.ts';
import type { InternModel } from '../interns/internModel.ts';
import type { InternPicker } from '../interns/internPicker.ts';
import type { ChatPanels } from './chatPanels.ts';
import type { Conversations } from './conversations.ts';

/** What the commands of conversations act through. */
export interface ChatCommandPorts {
  readonly accounts: Accounts;
  readonly interns: InternModel;
  readonly picker: InternPicker;
  readonly prompts: Prompts;
  readonly conversations: Conversations;
  readonly panels: ChatPanels;
  /** Forgets what this window keeps of a deleted conversation's tab: its draft and what is attached to it. */
  readonly forget: (conversation: string) => void;
}
