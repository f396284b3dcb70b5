import assert from 'node:assert/strict';
import type { ChatPage } from '../../../../src/features/chatPanel/chatPage.ts';
import { chatCommands } from '../../../../src/features/chatPanel/commands/chatCommands.ts';
import type { ChatCommandPorts } from '../../../../src/features/chatPanel/commands/conversationCommands.ts';
import { PageLife } from '../../../../src/features/chatPanel/page/pageLife.ts';
import type { OpenConversation } from '../../../../src/features/conversations/conversations.ts';
import type { ChatDraft } from '../../../../src/features/conversations/drafts.ts';
import { eventually } from '../../../harness/until.ts';
import { Stage } from '../../conversation/conversationStage.ts';
import { chatPage } from '../../support/chatPages.ts';
import { accountOf } from '../../support/fakeAccounts.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeSurface } from '../../support/fakeSurface.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { ScriptedDialogs } from '../../support/scriptedDialogs.ts';
import { useStubs } from '../../support/stubEditor.ts';

const silence = 4_000;

describe('PageLife', () => {
  let clock: FakeClock;
  let log: RecordingLog;
  let loads: number;
  let hangs: boolean;
  let isWindowThere: boolean;
  let life: PageLife;

  beforeEach(() => {
    clock = new FakeClock();
    log = new RecordingLog();
    loads = 0;
    hangs = false;
    isWindowThere = true;
    life = new PageLife({
      clock,
      log,
      load: () => (loads += 1),
      probe: () => (isWindowThere ? Promise.resolve() : new Promise(() => undefined)),
      onDidChangeHanging: (now) => (hangs = now),
    });
    life.setShown(true);
    life.handleReady(true);
  });

  afterEach(() => {
    life.dispose();
    assert.equal(clock.waiting, 0, 'no timer is left');
  });

  /** The page answers for 20 seconds and then falls silent. */
  async function fallSilent(): Promise<void> {
    for (let ping = 0; ping < 40; ping++) {
      life.handleMessage();
      clock.advance(500);
    }
    assert.equal(hangs, false);
    clock.advance(silence);
    await Promise.resolve();
  }

  it('a page that is silent as it opens counts as hung until it answers', () => {
    clock.advance(silence);
    assert.equal(hangs, true);
    life.handleMessage();
    assert.equal(hangs, false);
  });

  it('a page that falls silent while a reply streams counts as hung', async () => {
    life.setVisible(false);
    clock.advance(60_000);
    life.setVisible(true);
    await fallSilent();
    assert.equal(hangs, true);
  });

  it('a silent page does not count as hung if its whole window is silent', async () => {
    isWindowThere = false;
    await fallSilent();
    assert.equal(hangs, false);
  });

  it('a new page in which the user types does not count as hung if its window is closed', async () => {
    isWindowThere = false;
    life.setVisible(true, true);
    clock.advance(silence);
    await Promise.resolve();
    assert.equal(hangs, false);
  });

  it('a page that is out of sight does not count as hung', () => {
    life.setVisible(false);
    life.handleMessage();
    clock.advance(60_000);
    life.setShown(false);
    clock.advance(60_000);
    assert.equal(hangs, false);
  });

  it('a page is up from its ready message until its surface is hidden', () => {
    const isUp = [life.isUp];
    life.setShown(false);
    isUp.push(life.isUp);
    life.setShown(true);
    isUp.push(life.isUp);
    life.handleReady(false);
    isUp.push(life.isUp);
    assert.deepEqual(isUp, [true, false, false, true]);
  });

  it('a page that stays blank in sight loads again three times', () => {
    const loadsIn = (ms: number): number => {
      const before = loads;
      clock.advance(ms);
      return loads - before;
    };
    assert.equal(loadsIn(60_000), 0, 'it has begun');
    life.setShown(false);
    assert.equal(loadsIn(60_000), 0, 'it is out of sight');
    life.setShown(true);
    life.setShown(true);
    assert.equal(loadsIn(10_000), 1);
    life.handleReady(true);
    assert.equal(loadsIn(60_000), 0);
    life.setShown(false);
    life.setShown(true);
    assert.equal(loadsIn(600_000), 3);
  });

  const ends: Readonly<Record<string, () => void>> = {
    'has begun': () => life.handleReady(true),
    'counts as blank': () => clock.advance(10_000),
    'is hidden': () => life.setShown(false),
    'is closed': () => life.dispose(),
  };
  for (const [how, end] of Object.entries(ends))
    it(`the host waits for an expected page until it ${how}`, async () => {
      await life.whenUp();
      life.setShown(false);
      await life.whenUp();
      life.setShown(true);
      let isDone = false;
      const up = life.whenUp().then(() => (isDone = true));
      await Promise.resolve();
      assert.equal(isDone, false);
      end();
      await up;
    });

  it('the host waits half a second for the last messages of a leaving page', async () => {
    await life.leave(() => life.handleLeft());
    let isGone = false;
    const leaving = life.leave(() => undefined).then(() => (isGone = true));
    clock.advance(499);
    await Promise.resolve();
    assert.equal(isGone, false);
    clock.advance(1);
    await leaving;
    life.setShown(false);
    await life.leave(() => assert.fail('it is gone already'));
  });

  it('a fault of the page fills one short line of the log that cannot forge another', () => {
    life.logFault(`boom\n[error] forged \u202eline\u0007${'x'.repeat(10_000)}`);
    const [line = ''] = log.lines;
    assert.match(line, /The chat page failed \[boom \[error\] forged line/u);
    assert.ok(line.length < 400, `${line.length} characters`);
    assert.doesNotMatch(line, /[\p{Cc}\u202e]/u);
  });

  it('the log takes twenty faults of a page and then says once that there are more', () => {
    for (let fault = 0; fault < 1000; fault++) life.logFault(`fault ${fault}`);
    for (let fault = 0; fault < 1000; fault++) life.logFault(undefined);
    assert.equal(log.lines.length, 21);
    assert.match(log.lines[20] ?? '', /further failures are not logged/u);
  });
});

describe('ChatPage', () => {
  const stub = useStubs();
  let clock: FakeClock;
  let draft: Partial<ChatDraft>;
  let surface: FakeSurface;
  let page: ChatPage;
  let accounts: { get: () => object; active?: object };

  beforeEach(() => {
    accounts = { get: () => ({ state: 'ready' }) };
    clock = new FakeClock();
    draft = { text: '', scroll: null, pageHung: false };
    open();
  });

  afterEach(() => page.dispose());

  const snapshot = () => surface.bodies('snapshot').at(-1)!.view;

  /** Opens the page, which sends `ready`. */
  function open(): void {
    surface = new FakeSurface();
    const set = (_conversation: string, change: Partial<ChatDraft>) => Object.assign(draft, change);
    const drafts = { get: () => draft, set };
    const dialogs = new ScriptedDialogs(['2']);
    page = chatPage(stub, new Stage().conversation, { surface, clock, accounts, drafts, dialogs });
    surface.say('ready', { lastSeq: null });
  }

  it('a page that hung shows plain text until the user wants the replies formatted', () => {
    assert.equal(snapshot().isPlain, false);
    clock.advance(silence);
    for (let time = 0; time < 2; time++) {
      page.dispose();
      open();
      assert.equal(snapshot().isPlain, true);
      const { status } = snapshot();
      assert.equal(status.settings.narration, 'off');
      const actions = status.banners.flatMap((banner) => banner.actions.map(({ id }) => id));
      assert.deepEqual(actions, ['showFormatted']);
      surface.say('ping', { at: 500 });
    }
    surface.say('act', { action: 'showFormatted' });
    assert.equal(snapshot().isPlain, false);
    assert.deepEqual(snapshot().status.banners, []);
    clock.advance(silence);
    page.dispose();
    open();
    assert.equal(snapshot().isPlain, true, 'the formatted replies hang again');
  });

  it('a page that hung shows plain text when it is shown again in the same tab', () => {
    clock.advance(silence);
    surface.show(false);
    surface.show(true);
    surface.say('ready', { lastSeq: null });
    assert.equal(snapshot().isPlain, true);
  });

  it('a page that loads slowly after its tab moved to another window stays formatted', () => {
    clock.advance(silence);
    surface.say('ready', { lastSeq: null });
    assert.equal(snapshot().isPlain, false);
    page.dispose();
    open();
    assert.equal(snapshot().isPlain, false);
  });

  it('the end of a chat is out of sight until the page of its tab is up', () => {
    assert.equal(page.isEndVisible, true);
    surface.show(false);
    surface.show(true);
    assert.equal(page.isEndVisible, false);
    surface.say('ready', { lastSeq: null });
    assert.equal(page.isEndVisible, true);
  });

  it('a page changes the cost limit of its own chat, which may not be active yet', async () => {
    surface.active = false;
    surface.say('act', { action: 'limitCost' });
    await eventually(() => page.open.conversation.transcript.cost.limit === 2);
  });

  it('a chat of another account shows whose it is', () => {
    assert.deepEqual(snapshot().status.banners, []);
    accounts.active = accountOf('account-2');
    surface.say('ready', { lastSeq: null });
    assert.deepEqual(snapshot().status.banners, [
      {
        tone: 'info',
        text: 'This conversation belongs to another account: Key of account-1 · workspace-1.',
        actions: [],
      },
    ]);
  });

  it('commands use the message that has the focus in a visible page', async () => {
    const used: (string | null)[] = [];
    const ports = {
      pages: { lastUsedPage: page },
      chatTexts: {
        showReply: (_: OpenConversation, from: string | null) => void used.push(from),
        showHelp: (from: string | null) => void used.push(from),
      },
    } as unknown as ChatCommandPorts;
    const presence = { visible: true, focused: true, composing: false, typed: false };
    surface.say('presence', { ...presence, message: 'm1' });
    await chatCommands['interns.openReplyAsText'](ports);
    await chatCommands['interns.accessibilityHelp'](ports);
    surface.show(false);
    await chatCommands['interns.accessibilityHelp'](ports);
    assert.deepEqual(used, ['m1', 'm1', null]);
  });

  it('the user learns why an empty chat has no link to copy', async () => {
    const ports = { pages: { lastUsedPage: page } } as unknown as ChatCommandPorts;
    await assert.rejects(chatCommands['interns.copyMessageLink'](ports, []), {
      message: 'This conversation has no messages yet.',
    });
  });

  it('a blank page loads again with other HTML, since VS Code ignores equal HTML', () => {
    surface.show(false);
    surface.show(true);
    clock.advance(10_000);
    assert.equal(surface.loaded.length, 2);
    assert.equal(new Set(surface.loaded).size, 2);
  });
});
