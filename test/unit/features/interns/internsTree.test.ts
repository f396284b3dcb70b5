import assert from 'node:assert/strict';
import { DisposableStore, Emitter } from '../../../../src/base/disposable.ts';
import type { PendingQuestions } from '../../../../src/conversation/questions/pendingQuestions.ts';
import type { Conversations } from '../../../../src/features/conversations/conversations.ts';
import { ConversationTreeSource } from '../../../../src/features/conversations/treeSource.ts';
import { conversationTooltip } from '../../../../src/features/interns/rows.ts';
import { InternsTree } from '../../../../src/features/interns/internsTree.ts';
import { creating } from '../../support/creating.ts';
import type { FakeClock } from '../../support/fakeClock.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';

const INTERNS = 5_000;
const layout = { isGrouped: false, showsArchived: false };
const noStatus = { status: null, statusAt: null, statusFrom: null };
const unseen = { ...noStatus, intern: null, origin: 'added', addedAt: 0, creation: null } as const;

describe('InternsTree with 5,000 interns', () => {
  let parts: DisposableStore;
  let tree: InternsTree;
  let clock: FakeClock;
  const questionsChanged = new Emitter<void>();
  /** The number of reads of the open questions. */
  let reads: number;
  let heads: readonly object[];
  let asked: readonly { readonly account: string; readonly intern: string }[];

  beforeEach(async () => {
    parts = new DisposableStore();
    const { account, ports } = new FakeAccounts();
    ({ clock } = ports);
    reads = 0;
    heads = [];
    const first = { account: 'account-1', intern: 'i4999' };
    asked = [first, first, { account: 'account-2', intern: 'i7' }];
    const { interns, creations } = parts.add(creating(ports));
    for (let index = 0; index < INTERNS; index++)
      await account.store.interns.put({ ...unseen, id: `i${index}` });
    const conversations = parts.add(
      new ConversationTreeSource({
        ...ports,
        conversations: {
          list: () => Promise.resolve(heads),
          onDidChange: new Emitter().event,
        } as unknown as Conversations,
        pendingQuestions: {
          listOpen: () => {
            reads += 1;
            const long = {
              question: { account: 'account-1', intern: 'i9' },
              isCountedAsWaiting: false,
            };
            return [...asked.map((question) => ({ question, isCountedAsWaiting: true })), long];
          },
          onDidChange: questionsChanged.event,
        } as unknown as PendingQuestions,
      }),
    );
    const allowed = { list: () => Promise.resolve([]) };
    tree = parts.add(
      new InternsTree({ ...ports, interns, creations, conversations, allowed }, layout),
    );
  });

  afterEach(() => parts.dispose());

  it('the tree of interns reads the open questions once a drawing, not once an intern', async () => {
    const rows = await tree.getChildren();
    assert.equal(rows.length, INTERNS);
    assert.equal(reads, 1);
  });

  it('the tree of interns begins with the intern that asks', async () => {
    const [first, second] = await tree.getChildren();
    assert.ok(first?.kind === 'intern' && second?.kind === 'intern');
    assert.deepEqual([first.intern, first.pending], ['i4999', 2]);
    assert.equal(second.pending, 0);
  });

  it('the tree of interns lists pinned conversations first and hides archived ones', async () => {
    const head = (id: string, state: string, listed?: string) => ({
      ...{ id, title: id, at: clock.now() - 60_000, intern: 'i1', state, listed },
    });
    heads = [
      head('new', 'idle'),
      head('waits', 'waiting', 'archived'),
      head('gone', 'failed', 'archived'),
      head('kept', 'idle', 'pinned'),
      head('old', 'idle', 'plain'),
    ];
    await tree.getChildren();
    const rows = async () => {
      const row = tree.find('i1');
      assert.ok(row);
      return (await tree.getChildren(row)).map((node) => {
        const { description, contextValue } = tree.getTreeItem(node);
        return [node.kind === 'conversation' && node.conversation, description, contextValue];
      });
    };
    assert.deepEqual(await rows(), [
      ['kept', 'Pinned · 1 minute ago', 'conversation.idle.pinned'],
      ['new', '1 minute ago', 'conversation.idle.plain'],
      ['waits', 'Waiting for you · Archived · 1 minute ago', 'conversation.waiting.archived'],
      ['old', '1 minute ago', 'conversation.idle.plain'],
    ]);
    tree.setLayout({ showsArchived: true });
    assert.equal((await rows())[3]?.[1], 'Failed · Archived · 1 minute ago');
  });

  it('the tree of interns redraws once for many changes at a time', async () => {
    await tree.getChildren();
    let drawings = 0;
    parts.add(tree.onDidChangeTreeData(() => (drawings += 1)));
    for (let change = 0; change < 100; change++) questionsChanged.fire();
    clock.advance(1_000);
    assert.equal(drawings, 1);
    assert.equal(clock.waiting, 0);
  });
});

describe('conversationTooltip', () => {
  it('the tooltip of a conversation shows session ID and cost if they are known', () => {
    const item = { id: 'c1', title: 'Garden', at: 0, state: 'idle' } as const;
    const tooltip = conversationTooltip(item, { session: 'session_7', cost: '$0.84' });
    assert.match(tooltip, /^Garden\n.*\nCost: \$0\.84\nSession ID: session_7$/);
    assert.doesNotMatch(conversationTooltip(item, { session: null, cost: '' }), /Session|Cost/);
  });
});
