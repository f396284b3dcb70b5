import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readQuestion } from '../../../../src/api/index.ts';
import type {
  AnswerWay,
  QuestionContext,
  PendingQuestion,
} from '../../../../src/conversation/questions/types.ts';
import type { DraftKeeper } from '../../../../src/features/questions/dialogContext.ts';
import {
  showElicitation,
  type ElicitationDraft,
} from '../../../../src/features/questions/elicitation.ts';
import { showPermissionDialog } from '../../../../src/features/questions/permissionDialog.ts';
import type { EditText } from '../../../../src/platform/dialogs/editText.ts';
import { BACK, LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';
import { useStubs } from '../../support/stubEditor.ts';

/** What there is of a question when its dialog opens: what was entered before, and what it can be judged by. */
interface Before {
  readonly draft?: ElicitationDraft | undefined;
  readonly reason?: string | undefined;
  /** What the question can be judged by. */
  readonly judged?: QuestionContext;
  readonly maybeReceived?: AnswerWay;
  /** Closes the dialog. */
  readonly signal?: AbortSignal;
}

function keeperOf<T>(first: T | undefined): DraftKeeper<T> {
  let last = first;
  return {
    read: () => last,
    write: (next) => {
      last = next;
    },
  };
}

/** Asks as the service would have it asked, of a user who answers so. */
async function ask(args: object, script: readonly Move[], before: Before = {}) {
  const {
    draft,
    reason,
    judged,
    maybeReceived = null,
    signal = new AbortController().signal,
  } = before;
  const text = JSON.stringify(args);
  const call = { index: 0, id: 'call', name: 'service.provide_input', arguments: text };
  const question = readQuestion(call);
  assert.ok(question.kind !== 'unreadable');
  const dialogs = new ScriptedDialogs(script);
  const copied: string[] = [];
  const context = {
    dialogs,
    question: {
      question,
      internName: 'ada',
      ...(judged && { context: judged }),
    } as PendingQuestion,
    error: null,
    maybeReceived,
    timeLeft: () => 300_000,
    signal,
    editText: ({ text: before }: Parameters<EditText>[0]) =>
      Promise.resolve({ kind: 'used', text: `${before}\nmore` } as const),
    copied: (taken: string) => copied.push(taken),
  };
  const drafts = keeperOf(draft);
  const reasons = keeperOf(reason);
  const result =
    question.kind === 'permission'
      ? await showPermissionDialog(question, context, reasons)
      : await showElicitation(question, context, drafts);
  return { result, shown: dialogs.shown, draft: drafts.read(), reason: reasons.read(), copied };
}

const text = { name: 'branch', type: 'string', required: true, options: [] };
const secret = { ...text, name: 'api_key' };
const size = { name: 'size', type: 'integer', required: false, options: ['1', '2'] };
const WRITE = 'Write in an Editor';
const form = (...fields: object[]) => ({ kind: 'elicitation', message: 'How?', fields });
const accepted = (content: object) => ({
  kind: 'elicitation',
  action: 'accept',
  content,
});

describe('the dialog of a question', () => {
  it('offers only to cancel where nothing was offered', async () => {
    const permission = { kind: 'permission', operation: 'shell', options: [] };
    const { result, shown } = await ask(permission, ['Cancel the question']);
    assert.deepEqual(shown[0]?.rows, ['Cancel the question']);
    assert.deepEqual(result, { kind: 'permission', choice: 'cancel' });
  });

  it('says which earlier answer may have been received', async () => {
    const permission = { kind: 'permission', operation: 'shell', options: ['allow_once'] };
    const { shown } = await ask(permission, [LEAVE], { maybeReceived: { how: 'allow_once' } });
    assert.match(shown[0]!.texts[0]!, /^Your earlier answer \(Allow once\) may have been received/);
    const automatic = { maybeReceived: { how: 'cancel', by: 'nobody' } } as const;
    const second = await ask(permission, [LEAVE], automatic);
    assert.match(
      second.shown[0]!.texts[0]!,
      /^An automatic answer \(Cancel the question\) may have/,
    );
    const review = await ask(form(), [LEAVE], { maybeReceived: { how: 'accept' } });
    assert.match(
      review.shown[0]!.texts[0]!,
      /^Your earlier answer \(Accept\) may have been received/,
    );
  });

  describe('begins with what its intern said before', () => {
    const permission = {
      kind: 'permission',
      operation: 'shell',
      options: ['allow_once', 'conversation'],
    };
    const judged = { said: 'I clean up. Trust me.', allowed: 4, rejected: 1 };
    const row = 'ada said: “I clean up. Trust me.”';

    it('in a row, as its own words, with what was decided before; to choose it shows the conversation', async () => {
      const { result, shown } = await ask(permission, ['ada'], { judged });
      assert.deepEqual(shown[0]!.rows, [row, 'Allow once', 'conversation', 'Cancel the question']);
      assert.equal(
        shown[0]!.texts[0],
        `${row} | Its own words, unchecked · “shell”: allowed 4 times, rejected once · Choose them to read the conversation`,
      );
      assert.equal(result, 'conversation');
      const odd = await ask(permission, ['conversation'], { judged });
      assert.deepEqual(odd.result, { kind: 'permission', choice: 'conversation' });
    });

    it('with nothing in it that ends the quotation, becomes a link or an icon, or turns round the words beside it', async () => {
      const said = 'Fine.” \u202e\n\n$(pass) [Allow once](command:x)';
      const { shown } = await ask(permission, [LEAVE], { judged: { ...judged, said } });
      const inert = 'ada said: “Fine." $\u200b(pass) [Allow once]\u200b(command:x)”';
      assert.equal(shown[0]!.rows[0], inert);
    });

    it('not where it said nothing: what was decided can be read, and not be chosen', async () => {
      const silent = { said: ' \u2800', allowed: 1, rejected: 0 };
      const { shown } = await ask(permission, [LEAVE], { judged: silent });
      assert.deepEqual(shown[0]!.rows, ['Allow once', 'conversation', 'Cancel the question']);
      assert.match(shown[0]!.texts[0]!, /^“shell”: allowed once \| /);
      const nothing = { ...silent, allowed: 0 };
      const first = await ask(permission, [LEAVE], { judged: nothing });
      assert.match(first.shown[0]!.texts[0]!, /^Allow once/);
    });

    it('under the first field of a form and under its review, where it is no row', async () => {
      const { shown } = await ask(form(text, size), ['main', '2', LEAVE], { judged });
      const words = 'ada said (its own words, unchecked): “I clean up. Trust me.”';
      assert.deepEqual(
        shown.map(({ prompt }) => prompt.includes(words)),
        [true, false, true],
      );
      assert.equal(shown[2]!.rows[0], 'Accept');
    });
  });

  describe('with a reason for the rejection', () => {
    const permission = {
      kind: 'permission',
      operation: 'shell',
      options: ['allow_once', 'reject_once', 'reject_always'],
    };
    const SAY_WHY = 'Reject and say why…';

    it('is rejected once with what was written, in a row right after the one that rejects once', async () => {
      const { result, shown } = await ask(permission, [SAY_WHY, 'Use the tests']);
      const rows = ['Allow once', 'Reject once', SAY_WHY, 'Reject always', 'Cancel the question'];
      assert.deepEqual(shown[0]!.rows, rows);
      assert.match(shown[1]!.title, /^Reject “shell” and say why · less than/);
      assert.deepEqual(result, { kind: 'rejection', reason: 'Use the tests' });
    });

    it('has no such row where it cannot be rejected once', async () => {
      const options = ['allow_once', 'reject_always', 'cancel'];
      const { shown } = await ask({ ...permission, options }, [LEAVE]);
      assert.deepEqual(shown[0]!.rows, ['Allow once', 'Reject always', 'Cancel the question']);
    });

    it('leads back to the choices, is left without an answer, and is kept for when it is asked again', async () => {
      const back = await ask(permission, [SAY_WHY, BACK, 'Allow once']);
      assert.deepEqual(back.result, { kind: 'permission', choice: 'allow_once' });
      const { result, reason } = await ask(permission, [SAY_WHY, LEAVE], { reason: 'Too much' });
      assert.deepEqual([result, reason], ['hidden', 'Too much']);
      const again = await ask(permission, [SAY_WHY, { pressing: 'Show Conversation' }], { reason });
      assert.deepEqual([again.result, again.shown[1]!.value], ['conversation', 'Too much']);
    });

    it('takes no empty one, and none that is too long for a prompt', async () => {
      const { shown } = await ask(permission, [SAY_WHY, ' ', 'x'.repeat(32_001), LEAVE]);
      assert.deepEqual(shown[1]!.refusals, [
        'Write why, or go back to reject it without a reason.',
        'This has 32,001 characters, and at most 32,000 are allowed.',
      ]);
    });
  });

  it('is the review alone where there are no fields', async () => {
    const { result, shown } = await ask(form(), ['Accept']);
    assert.deepEqual(shown[0]?.rows, ['Accept', 'Decline', 'Cancel the question']);
    assert.deepEqual(result, accepted({}));
  });

  it('asks field by field, keeps what was entered when it is left, and sends it after the review alone', async () => {
    const left = await ask(form(text, size), ['main', LEAVE]);
    assert.deepEqual(left.result, 'hidden');
    const again = await ask(form(text, size), ['2', LEAVE], left);
    assert.deepEqual(again.shown.map(({ title, step }) => `${title} ${step}`).slice(0, 1), [
      'size 2/3',
    ]);
    const { result, shown } = await ask(form(text, size), ['Accept'], again);
    assert.equal(shown[0]?.step, '3/3');
    assert.deepEqual(result, accepted({ branch: 'main', size: 2 }));
  });

  it('leads from a field that is edited back to its review, and leaves out what is left out', async () => {
    const { result, shown } = await ask(form(text, size), [
      'main',
      'Leave out',
      BACK,
      BACK,
      'other',
      'branch',
      'third',
      'Accept',
    ]);
    assert.deepEqual(
      shown.map(({ step }) => step),
      ['1/3', '2/3', '3/3', '2/3', '1/3', '3/3', '1/3', '3/3'],
    );
    assert.deepEqual(result, accepted({ branch: 'third' }));
  });

  it('keeps an empty required field open, and says so', async () => {
    const { shown, draft } = await ask(form(text), ['', LEAVE]);
    assert.deepEqual(shown[0]?.refusals, ['This value is required.']);
    assert.equal(draft?.step, 'field 0');
  });

  it('does not send what lacks a value that is required', async () => {
    const draft = { inputs: [undefined], step: 'review' };
    const { shown } = await ask(form(text), ['Accept', LEAVE], { draft });
    assert.deepEqual(
      shown.map(({ step }) => step),
      ['2/2', '1/2'],
    );
  });

  for (const action of ['Decline', 'Cancel the question'])
    it(`sends no value by ${action}, from a field as from the review`, async () => {
      const answer = {
        kind: 'elicitation',
        action: action === 'Decline' ? 'decline' : 'cancel',
      };
      const review = await ask(form(text), ['main', action]);
      assert.deepEqual(review.result, answer);
      const field = await ask(form(text), [{ pressing: action }]);
      assert.deepEqual(field.result, answer);
    });

  it('shows the conversation where its button says so, and keeps what was entered', async () => {
    const { result, draft } = await ask(form(text), ['main', { pressing: 'Show Conversation' }]);
    assert.deepEqual(result, 'conversation');
    assert.equal(draft?.step, 'review');
  });

  it('takes a text of several lines from an editor', async () => {
    const { result } = await ask(form(text), [{ pressing: 'Write in an Editor' }, 'Accept']);
    assert.deepEqual(result, accepted({ branch: '\nmore' }));
  });

  it('takes the items of a list from an editor', async () => {
    const tags = { ...text, type: 'array' };
    const { result } = await ask(form(tags), ['one', BACK, { pressing: WRITE }, 'Accept']);
    assert.deepEqual(result, accepted({ branch: ['one\nmore'] }));
  });

  it('keeps the line breaks of a text that is looked at again', async () => {
    const draft = { inputs: [{ kind: 'text', text: 'a\r\nb' }], step: 'field 0' } as const;
    const { result, shown } = await ask(form(text), ['a⏎b', 'Accept'], { draft });
    assert.equal(shown[0]?.value, 'a⏎b');
    assert.deepEqual(result, accepted({ branch: 'a\r\nb' }));
    const edited = await ask(form(text), ['a⏎b⏎c', 'Accept'], { draft });
    assert.deepEqual(edited.result, accepted({ branch: 'a\nb\nc' }));
    const typed = await ask(form(text), ['a⏎b', 'Accept']);
    assert.deepEqual(typed.result, accepted({ branch: 'a⏎b' }));
  });

  it('says which button keeps the line breaks that its box has lost', async () => {
    const lost = '-----BEGIN TEST----- bm8ga2V5 -----END TEST-----';
    const { shown } = await ask(form(text, secret), [lost, 'a b', lost, 'a b', LEAVE]);
    const [plain, masked] = shown;
    assert.match(plain?.refusals.join() ?? '', /“Write in an Editor”, above, keeps them\.$/);
    assert.match(masked?.refusals.join() ?? '', /“From the clipboard” and “From a file…”/);
    assert.match(plain?.remarks.join() ?? '', /“Write in an Editor”, above, keeps them\.$/);
    assert.match(masked?.remarks.join() ?? '', /“From the clipboard”, above, keeps them\.$/);
  });
});

describe('the dialog of a masked field', () => {
  const stub = useStubs();
  const PEM = '-----BEGIN TEST-----\r\nbm8ga2V5\r\n-----END TEST-----\r\n';
  const CLIPBOARD = { pressing: 'From the clipboard' };
  const FILE = { pressing: 'From a file…' };

  function setClipboard(content: string): void {
    stub(vscode.env, { clipboard: { readText: () => Promise.resolve(content) } });
  }

  /** Lets the user pick a file of this content; undefined for one who picks none. */
  function setFile(content: string | undefined, size = 10): void {
    const picked = content === undefined ? undefined : ['file'];
    stub(vscode.window, { showOpenDialog: () => Promise.resolve(picked) });
    const readFile = () => Promise.resolve(new TextEncoder().encode(content));
    stub(vscode.workspace, { fs: { stat: () => Promise.resolve({ size }), readFile } });
  }

  it('is a password box, and takes what is typed there', async () => {
    const { result, shown, copied } = await ask(form(secret), ['hunter2', 'Accept']);
    assert.deepEqual([shown[0]?.password, shown[0]?.step], [true, '1/2']);
    assert.deepEqual(result, accepted({ api_key: 'hunter2' }));
    assert.deepEqual(copied, []);
  });

  it('takes a key with its line breaks from the clipboard, and notes that it is there', async () => {
    setClipboard(PEM);
    const { result, shown, copied } = await ask(form(secret, size), [CLIPBOARD, '1', 'Accept']);
    assert.deepEqual(result, accepted({ api_key: PEM, size: 1 }));
    assert.equal(shown.length, 3, 'no other box is asked');
    assert.match(shown[2]?.texts.join() ?? '', /api_key \| ••••••/);
    assert.deepEqual(copied, [PEM]);
  });

  it('takes a key with its line breaks from a file', async () => {
    setFile(PEM);
    const { result, shown, copied } = await ask(form(secret), [FILE, 'Keep it', 'Accept']);
    assert.deepEqual(result, accepted({ api_key: PEM }));
    assert.deepEqual([shown[1]?.title, copied], ['api_key', []]);
  });

  it('never uses an editor', async () => {
    const press = ask(form(secret), [{ pressing: WRITE }]);
    await assert.rejects(press, /has no button/);
  });

  it('is shown again with what was typed if the clipboard or the file cannot be used', async () => {
    setClipboard('');
    setFile('x', 2_000_000);
    const { shown } = await ask(form(secret), ['typed', BACK, CLIPBOARD, FILE, LEAVE]);
    assert.deepEqual(
      shown.slice(2).map(({ value, refusals }) => [value, refusals]),
      [
        ['typed', []],
        ['typed', ['There is no text on the clipboard.']],
        ['typed', ['The file is too large.']],
      ],
    );
  });

  it('is shown again without a word if no file is picked', async () => {
    setFile(undefined);
    const { result, shown } = await ask(form(secret), [FILE, 'hunter2', 'Accept']);
    assert.deepEqual(shown[1]?.refusals, []);
    assert.deepEqual(result, accepted({ api_key: 'hunter2' }));
  });

  it('refuses what is no value of the field, from wherever it comes', async () => {
    setClipboard('not a number');
    const pin = { ...secret, name: 'pin', type: 'number' };
    const { shown } = await ask(form(pin), [CLIPBOARD, LEAVE]);
    assert.deepEqual(shown[1]?.refusals, ['Enter a number, such as 3 or 2.5.']);
  });

  it('takes nothing once its question is over', async () => {
    const closing = new AbortController();
    stub(vscode.env, {
      clipboard: {
        readText: () => {
          closing.abort();
          return Promise.resolve(PEM);
        },
      },
    });
    const { signal } = closing;
    const { result, draft, copied } = await ask(form(secret), [CLIPBOARD], { signal });
    assert.deepEqual([result, draft?.inputs, copied], ['hidden', [undefined], []]);
  });
});
