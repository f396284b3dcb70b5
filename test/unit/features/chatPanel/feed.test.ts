import assert from 'node:assert/strict';
import { formatTimeLeft } from '../../../../src/base/timeLeft.ts';
import { Conversation } from '../../../../src/conversation/conversation.ts';
import { parseEntry, type JournalEntry } from '../../../../src/conversation/journal.ts';
import { Transcript } from '../../../../src/conversation/transcript.ts';
import { ChatFeed } from '../../../../src/features/chatPanel/feed.ts';
import type { AnyMessage, HostMessages } from '../../../../src/protocol/messages.ts';
import type { Change, PartView, StatusView } from '../../../../src/protocol/view.ts';
import { Stage } from '../../conversation/conversationStage.ts';
import { FakeAnswerer, FakeDisk } from '../../conversation/questions/fakes.ts';

/** Creates a feed whose page is up. */
function feedOf(
  conversation: Conversation,
  post: (message: AnyMessage<HostMessages>) => void,
  author = () => 'ada',
) {
  return new ChatFeed({
    conversation,
    life: { isUp: true },
    post: (message) => {
      post(message);
      return Promise.resolve();
    },
    internName: author,
    status: () => ({}) as StatusView,
    snapshot: (seq, view) => ({ seq, view }) as HostMessages['snapshot'],
  });
}

function emptyConversation(): Conversation {
  const ports = {} as ConstructorParameters<typeof Conversation>[2];
  return new Conversation('conversation-1', Transcript.fold([]), ports);
}

/** Returns the entries of a whole run in another window. */
async function recorded(): Promise<readonly JournalEntry[]> {
  const stage = Stage.asked('Go');
  stage.last.open();
  for (const word of ['I ', 'think ', 'so.']) await say('reasoning', word);
  for (const word of ['One ', 'two ', 'three ', 'four.']) await say('text', word);
  await stage.last.finish().taken();
  return stage.journal.map((entry) => parseEntry(JSON.stringify(entry))!);

  async function say(kind: 'reasoning' | 'text', text: string): Promise<void> {
    await stage.last.say({ kind, text }).taken();
    // Long enough for an entry of its own.
    stage.clock.advance(100);
    await stage.settle();
  }
}

/** A window that follows the record of another one. */
class Follower {
  readonly conversation = emptyConversation();
  #parts: PartView[] = [];
  /** The page says that a reply has ended, after the texts that it has. */
  #isEnded = false;

  constructor() {
    feedOf(this.conversation, ({ type, body }) => {
      if (type === 'changes') for (const each of body.changes) this.#show(each);
    }).synchronize(null);
  }

  get texts(): readonly string[] {
    return this.#parts.map((part) => (part.kind === 'question' ? '' : part.text));
  }

  /** Applies a change as the page does. */
  #show(change: Change): void {
    if (change.kind === 'header') this.#isEnded = change.message.state === 'done';
    if (change.kind === 'part' || change.kind === 'append')
      assert.ok(!this.#isEnded, 'a text after the end');
    if (change.kind === 'add' && change.message.kind === 'reply')
      this.#parts = [...change.message.parts];
    if (change.kind === 'part') this.#parts[change.index] = change.part;
    if (change.kind !== 'append') return;
    const part = this.#parts[change.part];
    assert.ok(part !== undefined && part.kind !== 'question', 'text for a missing part');
    this.#parts[change.part] = { ...part, text: part.text + change.text };
  }
}

describe('ChatFeed of a run in another window', () => {
  it('the feed of another window sends each word once, however entries are batched', async () => {
    const entries = await recorded();
    assert.ok(entries.length > 8, 'each delta is an entry');
    const inTwo = entries.map((_, cut) => [entries.slice(0, cut), entries.slice(cut)]);
    const alone = entries.map((entry) => [entry]);
    for (const batches of [...inTwo, alone]) {
      const follower = new Follower();
      for (const batch of batches) follower.conversation.follow(batch);
      const sizes = batches.map(({ length }) => length).join();
      assert.deepEqual(follower.texts, ['I think so.', 'One two three four.'], sizes);
    }
  });
});

describe('ChatFeed of a renamed intern', () => {
  it('the feed sends all messages again under the new name, also to a page that comes back', async () => {
    const conversation = emptyConversation();
    conversation.follow(await recorded());
    let name = 'ada';
    const authors: (readonly string[])[] = [];
    const post = ({ type, body }: AnyMessage<HostMessages>) => {
      if (type !== 'snapshot') return;
      const replies = body.view.messages.filter((message) => message.kind === 'reply');
      authors.push(replies.map(({ author }) => author));
    };
    const feed = feedOf(conversation, post, () => name);
    feed.synchronize(null);
    name = 'grace';
    feed.refresh();
    feed.synchronize(0);
    assert.deepEqual(authors, [['ada'], ['grace'], ['grace']]);
  });
});

describe('ChatFeed of a conversation with an agent', () => {
  it('the feed marks the prompts of agents and leaves them out of recall', () => {
    const conversation = emptyConversation();
    const at = 1;
    conversation.follow([
      { type: 'prompt', id: 'p1', at, run: 'r1', text: 'mine', mode: 'manual' },
      { type: 'notice', id: 'n', at, notice: 'by-agent' },
      { type: 'prompt', id: 'p2', at, run: 'r2', text: 'of an agent', mode: 'manual' },
    ]);
    const sent: unknown[] = [];
    feedOf(conversation, ({ type, body }) => {
      if (type !== 'snapshot') return;
      const prompts = body.view.messages.filter((message) => message.kind === 'prompt');
      sent.push(
        body.view.recall,
        prompts.map(({ isByAgent }) => isByAgent),
      );
    }).sendSnapshot();
    assert.deepEqual(sent, [['mine'], [undefined, true]]);
  });
});

describe('ChatFeed of a question', () => {
  for (const [how, ms] of [
    ['set forward', 120_000],
    ['set forward past its time', 3_600_000],
    ['set back', -3_600_000],
  ] as const)
    it(`a question shows the time of the status bar after the clock was ${how}`, async () => {
      const { pendingQuestions, stage, page } = await asking();
      const { clock } = stage;
      const { id } = stage.asked[0]!;
      const check = () =>
        assert.equal(page.timeLeft(), formatTimeLeft(pendingQuestions.timeLeftMs(id)));
      clock.advance(60_000);
      check();
      assert.equal(page.timeLeft(), '4:00');
      clock.sleep(ms);
      page.ping();
      check();
      assert.notEqual(page.timeLeft(), '0:00');
      clock.advance(10_000);
      check();
      page.ping();
      check();
    });

  /** Opens a conversation with a question, and a page that shows the card. */
  async function asking() {
    const stage = new Stage();
    const { clock } = stage;
    const pendingQuestions = new FakeDisk().pending('w1', clock, new FakeAnswerer());
    const { add } = stage.pendingQuestions;
    stage.pendingQuestions.deadline = (id) => pendingQuestions.deadline(id);
    stage.pendingQuestions.add = (question) => {
      add(question);
      pendingQuestions.add(question);
    };
    /** The host's time minus the page's monotonic clock. */
    let ahead = 0;
    let deadline: number | undefined;
    const draw = (part: PartView) => {
      if (part.kind === 'question') deadline = part.question.deadline;
    };
    const feed = feedOf(stage.conversation, ({ type, body }) => {
      if (type !== 'changes') return;
      for (const change of body.changes) if (change.kind === 'part') draw(change.part);
    });
    const page = {
      ping: () => {
        feed.updateDeadline();
        ahead = clock.now() - clock.monotonic();
      },
      timeLeft: () => formatTimeLeft(Math.min(deadline! - ahead - clock.monotonic(), 300_000)),
    };
    feed.synchronize(null);
    page.ping();
    stage.submit('Go');
    await stage.last.open().ask().taken();
    return { pendingQuestions, stage, page };
  }
});
