import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type ApiError, readQuestion, type ReadableQuestion } from '../../../../src/api/index.ts';
import type {
  RecordedAnswer,
  QuestionContext,
  PendingQuestion,
} from '../../../../src/conversation/questions/types.ts';
import type { QuestionDrafts } from '../../../../src/features/questions/dialogContext.ts';
import { showElicitation } from '../../../../src/features/questions/elicitation.ts';
import { showPermissionDialog } from '../../../../src/features/questions/permissionDialog.ts';
import { wholeQuestionText } from '../../../../src/features/questions/questionText.ts';
import type { EditText } from '../../../../src/platform/dialogs/editText.ts';
import { hashOf } from '../../../../src/platform/dialogs/takeText.ts';
import { apiError } from '../../conversation/questions/fakes.ts';
import { BACK, LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';
import { stubClipboard, useStubs } from '../../support/stubEditor.ts';

interface Before {
  readonly drafts?: QuestionDrafts;
  readonly judged?: QuestionContext;
  readonly maybeReceived?: RecordedAnswer;
  readonly error?: ApiError;
  readonly signal?: AbortSignal;
}

const UNJUDGED: QuestionContext = { said: '', allowed: 0, rejected: 0 };

/** Shows the dialog of a question with these arguments. The user follows the script. */
async function ask(args: object, script: readonly Move[], before: Before = {}) {
  const { judged = UNJUDGED, maybeReceived = null, error = null } = before;
  const drafts = { ...before.drafts };
  const text = JSON.stringify(args);
  const call = { index: 0, id: 'call', name: 'service.provide_input', arguments: text };
  const question = readQuestion(call);
  assert.ok(question.kind !== 'unreadable');
  const dialogs = new ScriptedDialogs(script);
  const context = {
    dialogs,
    question: { question, internName: 'ada', context: judged } as PendingQuestion,
    error,
    maybeReceived,
    timeLeftMs: () => 300_000,
    signal: before.signal ?? new AbortController().signal,
    editText: ({ text: before }: Parameters<EditText>[0]) =>
      Promise.resolve({ kind: 'used', text: `${before}\nmore` } as const),
    drafts,
  };
  const given =
    question.kind === 'permission'
      ? await showPermissionDialog(question, context)
      : await showElicitation(question, context);
  const result = typeof given === 'string' || given.reason !== undefined ? given : given.answer;
  return { result, shown: dialogs.shown, drafts };
}

const text = { name: 'branch', type: 'string', required: true, options: [] };
const secret = { ...text, name: 'api_key' };
const size = { name: 'size', type: 'integer', required: false, options: ['1', '2'] };
const WRITE = 'Write in an Editor';
const form = (...fields: object[]) => ({ kind: 'elicitation', message: 'How?', fields });
const accepted = (content: object) => ({ kind: 'elicitation', action: 'accept', content });
const permissionOf = (...options: string[]) => ({
  ...{ kind: 'permission', operation: 'shell', options },
});

describe('dialogs of questions', () => {
  it('a permission without options offers only to cancel', async () => {
    const { result, shown } = await ask(permissionOf(), ['Cancel the question']);
    assert.deepEqual(shown[0]?.rows, ['Cancel the question']);
    assert.deepEqual(result, { kind: 'permission', choice: 'cancel' });
  });

  it('the dialog of a question says which earlier answer may have been received', async () => {
    for (const [question, maybeReceived, says] of [
      [
        permissionOf('allow_once'),
        { how: 'allow_once' },
        /^Your earlier answer \(Allow once\) may/,
      ],
      [permissionOf(), { how: 'cancel', by: 'nobody' }, /^An automatic answer \(Cancel the quest/],
      [form(), { how: 'accept' }, /^Your earlier answer \(Accept\) may have been received/],
    ] as const) {
      const { shown } = await ask(question, [LEAVE], { maybeReceived });
      assert.match(shown[0]!.texts[0]!, says);
    }
  });

  it('the dialog of a refused answer says why in words for an answer', async () => {
    for (const [error, says] of [
      [
        apiError('turn-failed', 502),
        'The intern didn’t accept the answer. Try again, or give another one.',
      ],
      [apiError('severed', 502), 'The connection was lost. You can answer again.'],
      [apiError('rate-limited', 429), /^Too many runs \| .*The service limits requests/],
    ] as const) {
      const { shown } = await ask(form(), [LEAVE], { error });
      const [row = ''] = shown[0]!.texts;
      if (typeof says === 'string') assert.equal(row, says);
      else assert.match(row, says);
    }
  });

  describe('the last words of the intern', () => {
    const permission = permissionOf('allow_once', 'conversation');
    const judged = { said: 'I clean up. Trust me.', allowed: 4, rejected: 1 };
    const row = 'ada said: “I clean up. Trust me.”';

    it('a permission shows the intern’s last words and earlier decisions in one row', async () => {
      const { result, shown } = await ask(permission, ['ada'], { judged });
      assert.deepEqual(shown[0]!.rows, [row, 'Allow once', 'conversation', 'Cancel the question']);
      assert.equal(
        shown[0]!.texts[0],
        `${row} | The intern’s words, not verified · “shell”: allowed 4 times, rejected once · Select to open the conversation`,
      );
      assert.equal(result, 'conversation');
      const odd = await ask(permission, ['conversation'], { judged });
      assert.deepEqual(odd.result, { kind: 'permission', choice: 'conversation' });
    });

    it('a permission shows the intern’s last words as inert text in quotation marks', async () => {
      const said = 'Fine.” \u202e\n\n$(pass) [Allow once](command:x)';
      const { shown } = await ask(permission, [LEAVE], { judged: { ...judged, said } });
      const inert = 'ada said: “Fine." $\u200b(pass) [Allow once]\u200b(command:x)”';
      assert.equal(shown[0]!.rows[0], inert);
    });

    it('a permission shows earlier decisions as a note if the intern said nothing', async () => {
      const silent = { said: ' \u2800', allowed: 1, rejected: 0 };
      const { shown } = await ask(permission, [LEAVE], { judged: silent });
      assert.deepEqual(shown[0]!.rows, ['Allow once', 'conversation', 'Cancel the question']);
      assert.match(shown[0]!.texts[0]!, /^“shell”: allowed once \| /);
      const first = await ask(permission, [LEAVE], { judged: { ...silent, allowed: 0 } });
      assert.match(first.shown[0]!.texts[0]!, /^Allow once/);
    });

    it('a form shows the intern’s last words in its first field and its review', async () => {
      const { shown } = await ask(form(text, size), ['main', '2', LEAVE], { judged });
      const words = 'ada said (not verified): “I clean up. Trust me.”';
      const isShown = shown.map(({ prompt }) => prompt.includes(words));
      assert.deepEqual(isShown, [true, false, true]);
      assert.equal(shown[2]!.rows[0], 'Accept');
    });
  });

  describe('reasons for a rejection', () => {
    const permission = permissionOf('allow_once', 'reject_once', 'reject_always');
    const SAY_WHY = 'Reject and say why…';

    it('the row after `Reject once` rejects once with a reason', async () => {
      const { result, shown } = await ask(permission, [SAY_WHY, 'Use the tests']);
      const rows = ['Allow once', 'Reject once', SAY_WHY, 'Reject always', 'Cancel the question'];
      assert.deepEqual(shown[0]!.rows, rows);
      assert.match(shown[1]!.title, /^Reject “shell” and say why · less than/);
      assert.deepEqual([shown[0]!.isGuarded, shown[1]!.isGuarded], [true, false]);
      const answer = { kind: 'permission', choice: 'reject_once' };
      assert.deepEqual(result, { answer, reason: 'Use the tests' });
    });

    it('a permission has no row for a reason if `Reject once` is not offered', async () => {
      const options = ['allow_once', 'reject_always', 'cancel'];
      const { shown } = await ask({ ...permission, options }, [LEAVE]);
      assert.deepEqual(shown[0]!.rows, ['Allow once', 'Reject always', 'Cancel the question']);
    });

    it('the reason for a rejection stays when the user goes back or leaves', async () => {
      const back = await ask(permission, [SAY_WHY, BACK, 'Allow once']);
      assert.deepEqual(back.result, { kind: 'permission', choice: 'allow_once' });
      const { result, drafts } = await ask(permission, [SAY_WHY, { leavingAfter: 'Too much' }]);
      assert.deepEqual([result, drafts.reason], ['hidden', 'Too much']);
      const again = await ask(permission, [SAY_WHY, { pressing: 'Show Conversation' }], { drafts });
      assert.deepEqual([again.result, again.shown[1]!.value], ['conversation', 'Too much']);
    });

    it('a permission refuses an empty reason and one that is too long for a prompt', async () => {
      const { shown } = await ask(permission, [SAY_WHY, ' ', 'x'.repeat(32_001), LEAVE]);
      assert.deepEqual(shown[1]!.refusals, [
        'Enter a reason, or go back to reject without one.',
        'Too long: 32,001 of at most 32,000 characters.',
      ]);
    });
  });

  it('a form without fields shows only the review', async () => {
    const { result, shown } = await ask(form(), ['Accept']);
    assert.deepEqual(shown[0]?.rows, ['Accept', 'Decline', 'Cancel the question']);
    assert.deepEqual(result, accepted({}));
  });

  it('a form asks field by field and sends its values after the review', async () => {
    const left = await ask(form(text, size), ['main', LEAVE]);
    assert.deepEqual(left.result, 'hidden');
    const again = await ask(form(text, size), ['2', LEAVE], left);
    assert.deepEqual([again.shown[0]?.title, again.shown[0]?.step], ['size', '2/3']);
    const { result, shown } = await ask(form(text, size), ['Accept'], again);
    assert.equal(shown[0]?.step, '3/3');
    assert.deepEqual(result, accepted({ branch: 'main', size: 2 }));
    const guards = [...left.shown, ...again.shown].map((box) => `${box.step} ${box.isGuarded}`);
    assert.deepEqual(guards, ['1/3 false', '2/3 false', '2/3 false', '3/3 true']);
  });

  it('a form returns from an edited field to the review', async () => {
    const edits: Move[] = [BACK, BACK, 'other', 'branch', 'third'];
    const script = ['main', 'Leave out', ...edits, 'Accept'];
    const { result, shown } = await ask(form(text, size), script);
    const steps = shown.map(({ step }) => step).join(' ');
    assert.equal(steps, '1/3 2/3 3/3 2/3 1/3 3/3 1/3 3/3');
    assert.deepEqual(result, accepted({ branch: 'third' }));
  });

  it('a form returns to the review from an edited field that was left and opened again', async () => {
    const left = await ask(form(text, size), ['main', '2', 'branch', LEAVE]);
    const { result, shown } = await ask(form(text, size), ['third', 'Accept'], left);
    assert.equal(shown.map(({ step }) => step).join(' '), '1/3 3/3');
    assert.deepEqual(result, accepted({ branch: 'third', size: 2 }));
  });

  it('a form refuses an empty required field', async () => {
    const { shown, drafts } = await ask(form(text), ['', LEAVE]);
    assert.deepEqual(shown[0]?.refusals, ['This value is required.']);
    assert.equal(drafts.elicitation?.step, 'field 0');
  });

  it('the review of a form returns to a required field without a value', async () => {
    const drafts = { elicitation: { inputs: [undefined], step: 'review' } };
    const { shown } = await ask(form(text), ['Accept', LEAVE], { drafts });
    assert.equal(shown.map(({ step }) => step).join(' '), '2/2 1/2');
  });

  for (const action of ['Decline', 'Cancel the question'])
    it(`“${action}” sends no value from a field or the review`, async () => {
      const answer = { kind: 'elicitation', action: action === 'Decline' ? 'decline' : 'cancel' };
      const review = await ask(form(text), ['main', action]);
      assert.deepEqual(review.result, answer);
      const field = await ask(form(text), [{ pressing: action }]);
      assert.deepEqual(field.result, answer);
    });

  it('the button “Show Conversation” keeps the values of a form', async () => {
    const { result, drafts } = await ask(form(text), ['main', { pressing: 'Show Conversation' }]);
    assert.deepEqual(result, 'conversation');
    assert.equal(drafts.elicitation?.step, 'review');
  });

  it('a text or a list takes several lines from an editor', async () => {
    const { result } = await ask(form(text), [{ pressing: WRITE }, 'Accept']);
    assert.deepEqual(result, accepted({ branch: '\nmore' }));
    const tags = { ...text, type: 'array' };
    const listed = await ask(form(tags), ['one', BACK, { pressing: WRITE }, 'Accept']);
    assert.deepEqual(listed.result, accepted({ branch: ['one\nmore'] }));
  });

  it('a field keeps the line breaks of a text that is shown again', async () => {
    const elicitation = { inputs: ['a\r\nb'], step: 'field 0' };
    const before = { drafts: { elicitation } };
    const { result, shown } = await ask(form(text), ['a⏎b', 'Accept'], before);
    assert.equal(shown[0]?.value, 'a⏎b');
    assert.deepEqual(result, accepted({ branch: 'a\r\nb' }));
    const edited = await ask(form(text), ['a⏎b⏎c', 'Accept'], before);
    assert.deepEqual(edited.result, accepted({ branch: 'a\nb\nc' }));
    const typed = await ask(form(text), ['a⏎b', 'Accept']);
    assert.deepEqual(typed.result, accepted({ branch: 'a⏎b' }));
  });

  it('a field names the button that keeps line breaks, which its box loses', async () => {
    const lost = '-----BEGIN TEST----- bm8ga2V5 -----END TEST-----';
    const { shown } = await ask(form(text, secret), [lost, 'a b', lost, 'a b', LEAVE]);
    const [plain, masked] = shown;
    assert.match(plain?.refusals.join() ?? '', /Use “Write in an Editor” to keep them\.$/);
    assert.match(masked?.refusals.join() ?? '', /“From the clipboard” or “From a file…”/);
    assert.match(plain?.remarks.join() ?? '', /Use “Write in an Editor” to keep them\.$/);
    assert.match(masked?.remarks.join() ?? '', /Use “From the clipboard” to keep them\.$/);
  });
});

describe('dialogs of masked fields', () => {
  const stub = useStubs();
  const PEM = '-----BEGIN TEST-----\r\nbm8ga2V5\r\n-----END TEST-----\r\n';
  const CLIPBOARD = { pressing: 'From the clipboard' };
  const FILE = { pressing: 'From a file…' };

  /** Lets the user select a file with this content, or none. */
  function setFile(content: string | undefined, size = 10): void {
    const picked = content === undefined ? undefined : ['file'];
    stub(vscode.window, { showOpenDialog: () => Promise.resolve(picked) });
    const readFile = () => Promise.resolve(new TextEncoder().encode(content));
    stub(vscode.workspace, { fs: { stat: () => Promise.resolve({ size }), readFile } });
  }

  it('a masked field takes a typed value in a password box', async () => {
    const { result, shown, drafts } = await ask(form(secret), ['hunter2', 'Accept']);
    assert.deepEqual([shown[0]?.password, shown[0]?.step], [true, '1/2']);
    assert.deepEqual(result, accepted({ api_key: 'hunter2' }));
    assert.equal(drafts.clipboardHash, undefined);
  });

  it('a masked field takes a key with its line breaks from the clipboard', async () => {
    stubClipboard(stub, PEM);
    const { result, shown, drafts } = await ask(form(secret, size), [CLIPBOARD, '1', 'Accept']);
    assert.deepEqual(result, accepted({ api_key: PEM, size: 1 }));
    assert.equal(shown.length, 3, 'no other box is asked');
    assert.match(shown[2]?.texts.join() ?? '', /api_key \| ••••••/);
    assert.equal(drafts.clipboardHash, hashOf(PEM));
  });

  it('a masked field takes a key with its line breaks from a file', async () => {
    setFile(PEM);
    const { result, shown, drafts } = await ask(form(secret), [
      FILE,
      'Keep the line break',
      'Accept',
    ]);
    assert.deepEqual(result, accepted({ api_key: PEM }));
    assert.deepEqual([shown[1]?.title, drafts.clipboardHash], ['api_key', undefined]);
  });

  it('a masked field never uses an editor', async () => {
    const press = ask(form(secret), [{ pressing: WRITE }]);
    await assert.rejects(press, /has no button/);
  });

  it('a masked field keeps the typed value if the clipboard or the file cannot be used', async () => {
    stubClipboard(stub);
    setFile('x', 2_000_000);
    const { shown } = await ask(form(secret), ['typed', BACK, CLIPBOARD, FILE, LEAVE]);
    const says = shown.slice(2).map(({ value, refusals }) => `${value}: ${refusals.join()}`);
    const [clipboard, file] = ['The clipboard has no text.', 'The file is too large.'];
    assert.deepEqual(says, ['typed: ', `typed: ${clipboard}`, `typed: ${file}`]);
  });

  it('a masked field reopens without a message if no file is selected', async () => {
    setFile(undefined);
    const { result, shown } = await ask(form(secret), [FILE, 'hunter2', 'Accept']);
    assert.deepEqual(shown[1]?.refusals, []);
    assert.deepEqual(result, accepted({ api_key: 'hunter2' }));
  });

  it('a masked field refuses an invalid value from the clipboard', async () => {
    stubClipboard(stub, 'not a number');
    const pin = { ...secret, name: 'pin', type: 'number' };
    const { shown } = await ask(form(pin), [CLIPBOARD, LEAVE]);
    assert.deepEqual(shown[1]?.refusals, ['Enter a number, such as 3 or 2.5.']);
  });

  it('a masked field takes nothing after its question is over', async () => {
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
    const { result, drafts } = await ask(form(secret), [CLIPBOARD], { signal });
    const { elicitation, clipboardHash } = drafts;
    assert.deepEqual([result, elicitation?.inputs], ['hidden', [undefined]]);
    assert.equal(clipboardHash, undefined);
  });
});

describe('wholeQuestionText', () => {
  const wholeOf = (question: object) => wholeQuestionText(question as ReadableQuestion) ?? '';

  it('the whole text of an operation spells out invisible characters', () => {
    const operation = `rm -rf \u202e/ ${'x'.repeat(400)}`;
    assert.match(wholeOf({ ...permissionOf(), operation }), /^rm -rf <U\+202E>\/ x+$/);
  });

  it('the whole text of a message drops characters that reorder text', () => {
    const message = `👩‍💻 \u202e${'x'.repeat(400)}`;
    assert.match(wholeOf({ ...form(), message }), /^👩‍💻 x+$/u);
  });
});
