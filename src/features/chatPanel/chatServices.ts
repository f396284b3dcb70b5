import type { Memento, Uri } from 'vscode';
import type { ChatPresence } from '../../conversation/questions/autoOpen.ts';
import type { QuickInputs } from '../../platform/dialogs/quickInputs.ts';
import type { FileCompletions } from '../context/fileCompletions.ts';
import type { PromptContexts } from '../context/promptContext.ts';
import type { PromptFiles } from '../context/promptFiles.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { Drafts } from '../conversations/drafts.ts';
import type { ReplyActions } from '../editor/editorActions.ts';
import type { InternServices } from '../interns/internModel.ts';

/** The services that the chats of a window share. */
export interface ChatServices extends Pick<
  InternServices,
  'accounts' | 'clock' | 'contextKeys' | 'interns' | 'log' | 'settings'
> {
  readonly chatPresence: Pick<ChatPresence, 'update'>;
  readonly completions: { readonly file: FileCompletions; readonly prompt: PromptFiles };
  readonly contexts: Pick<PromptContexts, 'for' | 'forget'>;
  readonly conversations: Conversations;
  readonly dialogs: Pick<QuickInputs, 'handlePageFocus' | 'input' | 'isOpen' | 'onDidChange'>;
  readonly drafts: Drafts;
  readonly editor: ReplyActions;
  readonly extension: Uri;
  readonly workspaceState: Memento;
}
