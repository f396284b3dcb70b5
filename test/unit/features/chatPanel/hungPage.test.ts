import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/event.ts';
import { ChatPanel, type ChatPanelOptions } from '../../../../src/features/chatPanel/chatPanel.ts';
import type { Draft } from '../../../../src/features/chatPanel/prompts/drafts.ts';
import type { AnyMessage, HostMessages, PageMessages } from '../../../../src/protocol/messages.ts';
import type { SnapshotView } from '../../../../src/protocol/view.ts';
import { Stage } from '../../conversation/conversationStage.ts';
import { accountOf } from '../../support/fakeAccounts.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { useStubs } from '../../support/stubEditor.ts';

/** A tab whose page this test is. */
class FakeTab {
  readonly #messages = new Emitter<unknown>();
  readonly #viewState = new Emitter<void>();
  readonly said: AnyMessage<HostMessages>[] = [];
  readonly loaded: string[] = [];
  isWindowThere = true;
  readonly place = {
    setTitle: () => undefined,
    load: (html: string) => this.loaded.push(html),
    visible: true,
    webview: {
      cspSource: '',
      asWebviewUri: (uri: vscode.Uri) => uri,
      postMessage: (message: AnyMessage<HostMessages>) => {
        this.said.push(message);
        return this.isWindowThere ? Promise.resolve(true) : new Promise(() => undefined);
      },
      onDidReceiveMessage: this.#messages.event,
    },
    onDidChange: this.#viewState.event,
    onDidDispose: new Emitter<void>().event,
  };

  postToPage<K extends keyof PageMessages>(type: K, body: PageMessages[K]): void {
    this.#messages.fire({ type, body });
  }

  setVisible(visible: boolean): void {
    this.place.visible = visible;
    this.#viewState.fire();
  }

  get lastSnapshot(): SnapshotView {
    const last = this.said.findLast(({ type }) => type === 'snapshot');
    assert.ok(last?.type === 'snapshot');
    return last.body.view;
  }
}

describe('a page that stops responding', () => {
  const stub = useStubs();
  const never = new Emitter<never>().event;
  const extension = { toString: () => 'file:' };
  const silence = 4_000;
  const present = { inSight: true, focused: true, composing: false, hasDraft: false };
  let clock: FakeClock;
  let draft: Partial<Draft>;
  let tab: FakeTab;
  let panel: ChatPanel;

  beforeEach(() => {
    stub(vscode.Uri, { joinPath: () => extension });
    stub(vscode.workspace, { isTrusted: true });
    clock = new FakeClock();
    draft = { text: '', scroll: null, pageHung: false };
    open();
  });

  afterEach(() => {
    panel.dispose();
  });

  /** Opens the tab and its page, which says hello. */
  function open(): void {
    tab = new FakeTab();
    const account = accountOf('account-1');
    panel = new ChatPanel({
      place: tab.place,
      open: { account, conversation: new Stage().conversation },
      extension,
      internName: () => 'ada',
      accountState: () => 'ready',
      drafts: {
        get: () => draft,
        set: (_conversation: string, change: Partial<Draft>) => Object.assign(draft, change),
      },
      context: { attachments: [], onDidChange: never },
      settings: { narration: 'sentences', onDidChange: () => ({ dispose: () => undefined }) },
      colours: { onDidChange: never, get: () => Promise.resolve({}) },
      log: new RecordingLog(),
      clock,
      presence: () => undefined,
    } as unknown as ChatPanelOptions);
    tab.postToPage('hello', { have: null });
  }

  function reopen(): void {
    panel.dispose();
    open();
  }

  it('has its replies shown as plain text when it is opened again, until its user wants them formatted', () => {
    assert.equal(tab.lastSnapshot.isPlain, false);
    clock.advance(silence);
    for (let time = 0; time < 2; time++) {
      reopen();
      const { isPlain, status } = tab.lastSnapshot;
      assert.equal(isPlain, true);
      assert.equal(status.narration, 'off');
      assert.deepEqual(
        status.banners.flatMap(({ actions }) => actions.map(({ id }) => id)),
        ['showFormatted'],
      );
      tab.postToPage('ping', { at: 500 });
    }
    tab.postToPage('act', { action: 'showFormatted' });
    assert.equal(tab.lastSnapshot.isPlain, false);
    assert.deepEqual(tab.lastSnapshot.status.banners, []);
    reopen();
    assert.equal(tab.lastSnapshot.isPlain, false);
  });

  it('is hung once more where the formatted replies are too much again', () => {
    clock.advance(silence);
    reopen();
    tab.postToPage('act', { action: 'showFormatted' });
    clock.advance(silence);
    reopen();
    assert.equal(tab.lastSnapshot.isPlain, true);
  });

  it('is told of when it is shown again in the same tab', () => {
    clock.advance(silence);
    tab.setVisible(false);
    tab.setVisible(true);
    tab.postToPage('hello', { have: null });
    assert.equal(tab.lastSnapshot.isPlain, true);
  });

  it('was none where it answers after all, was closed while it answered, or is out of sight', () => {
    const assertFormatted = (): void => {
      reopen();
      assert.equal(tab.lastSnapshot.isPlain, false);
    };
    clock.advance(silence);
    tab.postToPage('ping', { at: silence });
    assertFormatted();
    clock.advance(1_000);
    assertFormatted();
    tab.postToPage('presence', { ...present, inSight: false });
    tab.postToPage('scrolled', { place: null });
    clock.advance(60_000);
    assertFormatted();
    tab.setVisible(false);
    clock.advance(60_000);
    assertFormatted();
  });

  /** A page that answers for 20 seconds, and then no more. */
  async function fallSilent(): Promise<void> {
    for (let ping = 0; ping < 40; ping++) {
      tab.postToPage('ping', { at: ping });
      clock.advance(500);
    }
    assert.equal(draft.pageHung, false);
    clock.advance(silence);
    await Promise.resolve();
  }

  it('is none whose whole window is silent: a remote host loses the connection to it', async () => {
    tab.isWindowThere = false;
    await fallSilent();
    assert.equal(draft.pageHung, false);
  });

  it('is noticed while a reply streams, and when its window comes back into sight', async () => {
    tab.postToPage('presence', { ...present, inSight: false });
    clock.advance(60_000);
    tab.postToPage('presence', present);
    await fallSilent();
    assert.equal(draft.pageHung, true);
  });

  it('is loaded again where it stays blank, though not for ever, nor while it is out of sight or has begun', () => {
    const loads = (ms: number): number => {
      const before = tab.loaded.length;
      clock.advance(ms);
      return tab.loaded.length - before;
    };
    assert.equal(loads(60_000), 0, 'it has begun');
    tab.setVisible(false);
    assert.equal(loads(60_000), 0, 'it is out of sight');
    tab.setVisible(true);
    tab.setVisible(true);
    assert.equal(loads(10_000), 1);
    assert.equal(new Set(tab.loaded).size, 2, 'VS Code does nothing for HTML that it has');
    tab.postToPage('hello', { have: null });
    assert.equal(loads(60_000), 0);
    tab.setVisible(false);
    tab.setVisible(true);
    assert.equal(loads(600_000), 3);
    assert.equal(clock.waiting, 0);
  });

  it('is waited for until it has begun, counts as blank, or is out of sight', async () => {
    const waits: string[] = [];
    const ends: Readonly<Record<string, () => void>> = {
      begun: () => tab.postToPage('hello', { have: null }),
      blank: () => clock.advance(10_000),
      hidden: () => tab.setVisible(false),
      closed: () => panel.dispose(),
    };
    await panel.whenUp();
    for (const [how, end] of Object.entries(ends)) {
      tab.setVisible(false);
      await panel.whenUp();
      tab.setVisible(true);
      const up = panel.whenUp().then(() => waits.push(how));
      await Promise.resolve();
      assert.equal(waits.includes(how), false);
      end();
      await up;
    }
    assert.deepEqual(waits, Object.keys(ends));
  });

  it('leaves no timer behind when its tab is closed', () => {
    panel.dispose();
    assert.equal(clock.waiting, 0);
  });
});
