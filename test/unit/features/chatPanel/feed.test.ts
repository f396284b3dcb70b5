import assert from 'node:assert/strict';
import { formatTimeLeft } from '../../../../src/base/timeLeft.ts';
import { Conversation } from '../../../../src/conversation/conversation.ts';
import {
  parseEntry,
  formatEntry,
  type JournalEntry,
} from '../../../../src/conversation/journal.ts';
import { Transcript } from '../../../../src/conversation/transcript.ts';
import { ChatFeed, type ChatFeedOptions } from '../../../../src/features/chatPanel/feed.ts';
import type { HostMessages } from '../../../../src/protocol/messages.ts';
import type { Change, PartView, StatusView } from '../../../../src/protocol/view.ts';
import { Stage } from '../../conversation/conversationStage.ts';
import { FakeAnswerer, FakeDisk } from '../../conversation/questions/fakes.ts';

const status = {} as StatusView;

/** What another window recorded of a run that thinks, writes and ends. */
async function recorded(): Promise<readonly JournalEntry[]> {
  const stage = new Stage();
  stage.submit('Go');
  stage.last.open();
  for (const word of ['I ', 'think ', 'so.']) await say('reasoning', word);
  for (const word of ['One ', 'two ', 'three ', 'four.']) await say('text', word);
  stage.last.finish();
  await stage.settle();
  return stage.journal.map((entry) => parseEntry(formatEntry(entry))!);

  async function say(kind: 'reasoning' | 'text', text: string): Promise<void> {
    stage.last.say({ kind, text });
    await stage.settle();
    // Entries of their own, as those of a stream that takes its time.
    stage.clock.advance(100);
    await stage.settle();
  }
}

/** A window that follows what another one records, and what its page shows of the reply. */
class Follower {
  readonly conversation: Conversation;
  #parts: PartView[] = [];

  constructor() {
    const none = {} as ConstructorParameters<typeof Conversation>[2];
    this.conversation = new Conversation('conversation-1', Transcript.fold([]), none);
    const feed = new ChatFeed({
      conversation: this.conversation,
      life: { isUp: true },
      post: ({ type, body }) => {
        if (type === 'changes') for (const each of body.changes) this.#show(each);
        return Promise.resolve(true);
      },
      author: () => 'ada',
      status: () => status,
      snapshotRest: () => ({}) as ReturnType<ChatFeedOptions['snapshotRest']>,
    });
    feed.synchronize(null);
  }

  get texts(): readonly string[] {
    return this.#parts.map((part) => (part.kind === 'question' ? '' : part.text));
  }

  /** As a page does, see the store of src/webview. */
  #show(change: Change): void {
    if (change.kind === 'add' && change.message.kind === 'intern')
      this.#parts = [...change.message.parts];
    if (change.kind === 'part') this.#parts[change.index] = change.part;
    if (change.kind !== 'append') return;
    const part = this.#parts[change.part];
    assert.ok(part !== undefined && part.kind !== 'question', 'text for a part that is not there');
    this.#parts[change.part] = { ...part, text: part.text + change.text };
  }
}

describe('the page of a window that follows another one’s run', () => {
  const whole = ['I think so.', 'One two three four.'];

  it('shows each word once, whatever came together in one batch', async () => {
    const entries = await recorded();
    assert.ok(entries.length > 8, 'entries of their own');
    for (let cut = 0; cut <= entries.length; cut++) {
      const follower = new Follower();
      follower.conversation.follow(entries.slice(0, cut));
      follower.conversation.follow(entries.slice(cut));
      assert.deepEqual(follower.texts, whole, `cut before entry ${cut}`);
    }
  });

  it('shows each word once where each entry comes alone', async () => {
    const follower = new Follower();
    for (const entry of await recorded()) follower.conversation.follow([entry]);
    assert.deepEqual(follower.texts, whole);
  });
});

describe('the page of a conversation in which an agent wrote a prompt', () => {
  it('is told which prompts the user wrote, in the whole and one by one', () => {
    const told: HostMessages['snapshot'][] = [];
    const changes: Change[] = [];
    const none = {} as ConstructorParameters<typeof Conversation>[2];
    const conversation = new Conversation('conversation-1', Transcript.fold([]), none);
    const feed = new ChatFeed({
      conversation,
      life: { isUp: true },
      post: ({ type, body }) => {
        if (type === 'snapshot') told.push(body);
        if (type === 'changes') changes.push(...body.changes);
        return Promise.resolve(true);
      },
      author: () => 'ada',
      status: () => status,
      snapshotRest: () => ({ view: {} }) as ReturnType<ChatFeedOptions['snapshotRest']>,
    });
    feed.synchronize(null);
    const at = 1;
    conversation.follow([
      { type: 'prompt', id: 'p1', at, run: 'r1', text: 'mine', mode: 'manual' },
      { type: 'notice', id: 'n', at, notice: 'by-agent' },
      { type: 'prompt', id: 'p2', at, run: 'r2', text: 'of an agent', mode: 'manual' },
    ]);
    feed.sendAll();
    assert.deepEqual(told.at(-1)?.view.recall, ['mine']);
    const ofAgents = changes.flatMap((change) =>
      change.kind === 'add' && change.message.kind === 'user' ? [change.message.isByAgent] : [],
    );
    assert.deepEqual(ofAgents, [undefined, true]);
  });
});

describe('the card of a question', () => {
  for (const [how, ms] of [
    ['set forward', 120_000],
    ['set forward past its time', 3_600_000],
    ['set back', -3_600_000],
  ] as const)
    it(`shows the time that the status bar shows after the clock was ${how}`, async () => {
      const { pendingQuestions, stage, page } = await asking();
      const { clock } = stage;
      const { id } = stage.asked[0]!;
      const check = () =>
        assert.equal(page.timeLeft(), formatTimeLeft(pendingQuestions.timeLeft(id)));
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

  /** A conversation that asks, the questions of its window, and a page that draws the card. */
  async function asking() {
    const stage = new Stage();
    const { clock } = stage;
    const pendingQuestions = new FakeDisk().pending('w1', clock, new FakeAnswerer());
    const { arrive } = stage.pendingQuestions;
    stage.pendingQuestions.deadline = (id) => pendingQuestions.deadline(id);
    stage.pendingQuestions.arrive = (question) => {
      arrive(question);
      pendingQuestions.arrive(question);
    };
    /** What the page adds to a monotonic clock to have the time of its host, as its ticker does. */
    let ahead = 0;
    let deadline: number | undefined;
    const draw = (part: PartView) => {
      if (part.kind === 'question') deadline = part.question.deadline;
    };
    const feed = new ChatFeed({
      conversation: stage.conversation,
      life: { isUp: true },
      post: ({ type, body }) => {
        if (type === 'changes')
          for (const change of body.changes) if (change.kind === 'part') draw(change.part);
        return Promise.resolve(true);
      },
      author: () => 'ada',
      status: () => status,
      snapshotRest: () => ({}) as ReturnType<ChatFeedOptions['snapshotRest']>,
    });
    const page = {
      /** The page looks whether its host lives, as it does twice a second. */
      ping: () => {
        feed.followDeadline();
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
