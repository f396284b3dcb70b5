import assert from 'node:assert/strict';
import { DisposableStore } from '../../../../src/base/disposable.ts';
import { Emitter } from '../../../../src/base/event.ts';
import type { QuestionDesk } from '../../../../src/chat/questions/types.ts';
import type { Conversations } from '../../../../src/host/chat/conversations.ts';
import { TreeSource } from '../../../../src/host/chat/treeSource.ts';
import { Creations } from '../../../../src/host/interns/creations.ts';
import { InternModel } from '../../../../src/host/interns/internModel.ts';
import { InternsTree } from '../../../../src/host/interns/internsTree.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeAccounts } from '../support/fakeAccounts.ts';
import { RecordingLog } from '../support/recordingLog.ts';

const INTERNS = 5_000;

describe('the rows of 5,000 interns', () => {
  let parts: DisposableStore;
  let tree: InternsTree;
  let clock: FakeClock;
  let questionsChanged: Emitter<void>;
  /** How often the open questions were gone through. */
  let reads: number;
  let asked: readonly { readonly account: string; readonly intern: string }[];

  beforeEach(async () => {
    parts = new DisposableStore();
    const { accounts, account } = new FakeAccounts();
    const log = new RecordingLog();
    clock = new FakeClock();
    questionsChanged = new Emitter();
    reads = 0;
    asked = [
      { account: 'account-1', intern: 'i4999' },
      { account: 'account-1', intern: 'i4999' },
      { account: 'account-2', intern: 'i7' },
    ];
    const interns = parts.add(new InternModel({ accounts, clock, log }));
    for (let index = 0; index < INTERNS; index++)
      await account.store.interns.put({ ...unseen, id: `i${index}` });
    const idempotencyHeader = () => '';
    const newId = () => 'uuid-1';
    const ports = { accounts, interns, clock, log };
    const creations = parts.add(new Creations({ ...ports, idempotencyHeader, newId }));
    const conversations = parts.add(
      new TreeSource({
        accounts,
        log,
        conversations: {
          list: () => Promise.resolve([]),
          onDidChange: new Emitter().event,
        } as unknown as Conversations,
        desk: {
          open: () => {
            reads += 1;
            return asked.map((question) => ({ question }));
          },
        } as unknown as QuestionDesk,
        onDidChangeQuestions: questionsChanged.event,
      }),
    );
    const allowed = { list: () => Promise.resolve([]) };
    tree = parts.add(new InternsTree({ ...ports, creations, conversations, allowed }, false));
  });

  afterEach(() => parts.dispose());

  it('go through the open questions once a drawing, not once an intern', async () => {
    const rows = await tree.getChildren();
    assert.equal(rows.length, INTERNS);
    assert.equal(reads, 1);
  });

  it('begin with the intern that asks, with what is asked under this account alone', async () => {
    const [first, second] = await tree.getChildren();
    assert.ok(first?.kind === 'intern' && second?.kind === 'intern');
    assert.deepEqual([first.intern, first.pending], ['i4999', 2]);
    assert.equal(second.pending, 0);
  });

  it('are drawn once for many changes that come together', async () => {
    await tree.getChildren();
    let drawings = 0;
    parts.add(tree.onDidChangeTreeData(() => (drawings += 1)));
    for (let change = 0; change < 100; change++) questionsChanged.fire();
    clock.advance(1_000);
    assert.equal(drawings, 1);
    assert.equal(clock.waiting, 0);
  });
});

const unseen = {
  intern: null,
  origin: 'added',
  addedAt: 0,
  status: null,
  statusAt: null,
  statusFrom: null,
  creation: null,
} as const;
