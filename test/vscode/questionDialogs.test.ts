import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readQuestion, type Answer } from '../../src/api/index.ts';
import type { PendingQuestion } from '../../src/chat/questions/types.ts';
import type { DialogContext, DialogResult } from '../../src/host/questions/dialogContext.ts';
import {
  showElicitation,
  type ElicitationDraft,
} from '../../src/host/questions/elicitationFlow.ts';
import { GUARD_MS } from '../../src/host/questions/guardedPick.ts';
import { showPermissionDialog } from '../../src/host/questions/permissionDialog.ts';
import { FakeClock } from '../unit/support/fakeClock.ts';

const ACCEPT = 'workbench.action.acceptSelectedQuickOpenItem';
const NEXT = 'workbench.action.quickOpenSelectNext';
const CLOSE = 'workbench.action.closeQuickOpen';
const FOCUS = 'workbench.action.focusQuickOpen';

/** Keys of a user who means something else, at so many moments of a dialog's first half second. */
const TIMINGS = 200;

const run = (command: string) => vscode.commands.executeCommand(command);

/** A question, its dialog's context, and what became of the dialog so far. */
class Asked {
  readonly clock = new FakeClock();
  readonly closing = new AbortController();
  readonly question: PendingQuestion;
  result: DialogResult | undefined;
  draft: ElicitationDraft | undefined;
  left = 300_000;

  constructor(args: object) {
    const text = JSON.stringify(args);
    const call = { index: 0, id: 'call', name: 'service.provide_input', arguments: text };
    this.question = {
      id: 'q',
      conversation: 'c',
      intern: 'i',
      internName: 'ada',
      account: 'a',
      call,
      question: readQuestion(call),
      arrivedAt: 0,
      deadline: this.left,
    };
  }

  /** Opens the dialog, and waits until VS Code has drawn it. */
  async open(): Promise<void> {
    this.result = undefined;
    void this.#show().then((result) => {
      this.result = result;
    });
    await run(FOCUS);
    await settle();
  }

  /** Presses a key, and waits until whatever it does is done. */
  async press(...commands: string[]): Promise<void> {
    for (const command of commands) await run(command);
    await settle();
  }

  /** What the user sent; undefined where nothing was. */
  get answer(): Answer | undefined {
    return this.result?.kind === 'answer' ? this.result.answer : undefined;
  }

  #show(): Promise<DialogResult> {
    const { question } = this.question;
    const context: DialogContext = {
      question: this.question,
      error: null,
      timeLeft: () => this.left,
      signal: this.closing.signal,
      clock: this.clock,
    };
    if (question.kind === 'permission') return showPermissionDialog(question, context);
    if (question.kind !== 'elicitation') throw new Error('Not a question');
    return showElicitation(question, context, {
      read: () => this.draft,
      write: (draft) => {
        this.draft = draft;
      },
    });
  }
}

/** Events of the window come to the extension host in order: behind two round trips, those of before have come. */
async function settle(): Promise<void> {
  for (let trip = 0; trip < 2; trip += 1) await vscode.commands.getCommands(true);
}

const permission = (...options: string[]) =>
  new Asked({ kind: 'permission', operation: 'shell', options });

describe('dialogs of questions', () => {
  afterEach(() => run(CLOSE));

  it(`consent to nothing at ${TIMINGS} moments of their first half second`, async function () {
    this.timeout(120_000);
    const asked = permission('allow_once', 'reject_once');
    await asked.open();
    for (let timing = 0; timing < TIMINGS; timing += 1) {
      await asked.press(NEXT, ACCEPT);
      assert.equal(asked.result, undefined, `answered after ${(timing * GUARD_MS) / TIMINGS} ms`);
      asked.clock.advance(GUARD_MS / TIMINGS - 0.1);
    }
  });

  it('count the half second from when they are drawn, however late a busy machine draws them', async () => {
    const asked = permission('allow_once');
    const opening = asked.open();
    asked.clock.advance(10 * GUARD_MS);
    await opening;
    await asked.press(NEXT, ACCEPT);
    assert.equal(asked.result, undefined);
    asked.clock.advance(GUARD_MS);
    await asked.press(NEXT, ACCEPT);
    assert.deepEqual(asked.answer, { kind: 'permission', choice: 'allow_once' });
  });

  it('take the row that a user went to after the half second', async () => {
    const asked = permission('allow_once', 'reject_once');
    await asked.open();
    asked.clock.advance(GUARD_MS);
    await asked.press(ACCEPT);
    assert.equal(asked.result, undefined, 'no row was active');
    await asked.press(NEXT, ACCEPT);
    assert.deepEqual(asked.answer, { kind: 'permission', choice: 'allow_once' });
  });

  it('stay as they are when a second Enter follows one that was ignored', async () => {
    const asked = permission('allow_once');
    await asked.open();
    await asked.press(NEXT, ACCEPT);
    asked.clock.advance(GUARD_MS);
    await asked.press(ACCEPT);
    assert.equal(asked.result, undefined);
    await asked.press(NEXT, ACCEPT);
    assert.deepEqual(asked.answer, { kind: 'permission', choice: 'allow_once' });
  });

  it('send nothing on Escape, and nothing when their question ends', async () => {
    const asked = permission('allow_once');
    await asked.open();
    asked.clock.advance(GUARD_MS);
    await asked.press(CLOSE);
    assert.deepEqual(asked.result, { kind: 'hidden' });
    await asked.open();
    asked.closing.abort();
    await settle();
    assert.deepEqual(asked.result, { kind: 'hidden' });
  });

  it('stay pending when the palette takes their place', async () => {
    const asked = permission('allow_once');
    await asked.open();
    await asked.press('workbench.action.showCommands');
    assert.deepEqual(asked.result, { kind: 'hidden' });
  });

  it('can still be answered when the time is up', async () => {
    const asked = permission('allow_once');
    await asked.open();
    asked.left = 0;
    asked.clock.advance(GUARD_MS);
    await asked.press(NEXT, ACCEPT);
    assert.deepEqual(asked.answer, { kind: 'permission', choice: 'allow_once' });
  });

  it('offer only to cancel where nothing was offered', async () => {
    const asked = permission();
    await asked.open();
    asked.clock.advance(GUARD_MS);
    await asked.press(NEXT, ACCEPT);
    assert.deepEqual(asked.answer, { kind: 'permission', choice: 'cancel' });
  });

  it('of no fields are the review alone, which no stray key accepts', async () => {
    const asked = new Asked({ kind: 'elicitation', message: 'Go on?', fields: [] });
    await asked.open();
    await asked.press(NEXT, ACCEPT);
    assert.equal(asked.result, undefined);
    asked.clock.advance(GUARD_MS);
    await asked.press(NEXT, ACCEPT);
    assert.deepEqual(asked.answer, { kind: 'elicitation', action: 'accept', content: {} });
  });

  it('ask field by field, keep what was entered over Escape, and send it after the review alone', async () => {
    const asked = new Asked({
      kind: 'elicitation',
      message: 'How?',
      fields: [
        { name: 'force', type: 'boolean', required: true, options: [] },
        { name: 'size', type: 'integer', required: true, options: ['1', '2'] },
      ],
    });
    await asked.open();
    await asked.press(ACCEPT);
    await asked.press(CLOSE);
    assert.deepEqual(asked.result, { kind: 'hidden' });
    assert.deepEqual(asked.draft, {
      at: 1,
      inputs: [{ kind: 'choice', index: 0 }, undefined],
    });
    await asked.open();
    await asked.press(NEXT, ACCEPT);
    await asked.press(NEXT, ACCEPT);
    assert.equal(asked.result, undefined, 'the review ignores its first half second');
    asked.clock.advance(GUARD_MS);
    await asked.press(NEXT, ACCEPT);
    assert.deepEqual(asked.answer, {
      kind: 'elicitation',
      action: 'accept',
      content: { force: true, size: 2 },
    });
  });

  it('keep an empty required field open', async () => {
    const fields = [{ name: 'branch', type: 'string', required: true, options: [] }];
    const asked = new Asked({ kind: 'elicitation', message: 'Where?', fields });
    await asked.open();
    await asked.press(ACCEPT);
    assert.equal(asked.result, undefined);
    assert.equal(asked.draft?.at, 0);
  });
});
