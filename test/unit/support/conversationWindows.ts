import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import type { PendingQuestion } from '../../../src/conversation/questions/types.ts';
import type { Account } from '../../../src/features/accounts/account.ts';
import { Conversations } from '../../../src/features/conversations/conversations.ts';
import { Drafts } from '../../../src/features/conversations/drafts.ts';
import { eventually } from '../../harness/until.ts';
import { startService, type Service } from '../../service/service.ts';
import { conversationOptions } from './accountWindow.ts';
import { useTemporaryFolder } from './folders.ts';

type Options = ConstructorParameters<typeof Conversations>[0];

/** A window. All windows share storage and service. */
export interface ConversationWindow {
  readonly conversations: Conversations;
  readonly drafts: Drafts;
  readonly account: Account;
  readonly asked: PendingQuestion[];
  readonly ended: string[];
}

export function startIn({ conversations, account }: ConversationWindow): Conversation {
  return conversations.create(account, 'intern_ada').conversation;
}

export async function openIn(
  { conversations, account }: ConversationWindow,
  id: string,
): Promise<Conversation> {
  const found = await conversations.open(account, id);
  assert.ok(found, `conversation ${id} is on record`);
  return found.conversation;
}

export function submit(conversation: Conversation, text: string): void {
  conversation.send({ type: 'submit', prompt: { text, sent: text, attachments: [] } });
}

/** Sends a prompt, and waits until its run is on disk. */
export async function talk(
  conversation: Conversation,
  text: string,
  on: Conversations,
): Promise<void> {
  submit(conversation, text);
  await eventually(isIdle(conversation));
  await on.flush();
}

export const isIdle = (conversation: Conversation) => (): boolean =>
  conversation.state.phase.kind === 'idle';

/** Opens windows on a folder and a local service of their own for each test. */
export function useConversationWindows() {
  const folder = useTemporaryFolder();
  const windows: ConversationWindow[] = [];
  let service: Service;

  beforeEach(async () => {
    service = await startService({ keepaliveMs: 50 });
  });

  afterEach(async () => {
    for (const { conversations, drafts } of windows.splice(0)) {
      drafts.dispose();
      conversations.dispose();
    }
    await service.close();
  });

  function openWindow(id: string, change: Partial<Options> = {}): ConversationWindow {
    const options = { ...conversationOptions(folder.path, service.url, id), ...change };
    const { account } = options;
    const asked: PendingQuestion[] = [];
    const ended: string[] = [];
    const conversations = new Conversations(options);
    conversations.pendingQuestions.onDidChange(({ question, ending }) => {
      if (ending !== null) ended.push(question.id);
      else if (!asked.some((each) => each.id === question.id)) asked.push(question);
    });
    const drafts = new Drafts(conversations, { ...options, workspace: `workspace-${id}` });
    const window = { conversations, drafts, account, asked, ended };
    windows.push(window);
    return window;
  }

  function startWindow() {
    const window = openWindow('a');
    return { window, conversation: startIn(window) };
  }

  const session = (id: string) => service.state.session(id);
  const setStatus = (status: 'running' | 'stopped') =>
    service.state.setIntern('intern_ada', { status });
  return { folder, windows, openWindow, startWindow, session, setStatus };
}
