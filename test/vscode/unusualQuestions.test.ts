import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Conversation } from '../../src/conversation/conversation.ts';
import type { QuestionPart } from '../../src/conversation/messages.ts';
import { runsOfAccounts } from '../../src/features/conversations/runsOfAccounts.ts';
import { INPUT_GUARD_MS } from '../../src/platform/dialogs/presentBox.ts';
import type { Interaction } from '../service/core/interactions.ts';
import type { Service } from '../service/service.ts';
import { asking, askingBrain } from './support/askingBrain.ts';
import {
  useQuestionStage,
  type QuestionStage,
  type QuestionWindow,
} from './support/questionWindow.ts';
import type { Screen } from './support/screen.ts';
import { eventually } from '../harness/until.ts';

const permission = {
  kind: 'permission',
  operation: 'run_shell',
  options: ['allow_once', 'reject_once'],
} as const;

const name = { name: 'name', type: 'string', required: true, options: [] };

describe('unusual questions', () => {
  let folder: string;
  let service: Service;
  let screen: Screen;
  let window: QuestionWindow;
  let open: QuestionStage['open'];
  useQuestionStage(
    { brain: askingBrain },
    (stage) => ({ folder, service, screen, window, open } = stage),
  );

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const askWith = (interaction: Interaction) => window.ask(asking(interaction));

  const questions = ({ transcript }: Conversation) =>
    (transcript.lastReply?.parts ?? []).filter(
      (part): part is QuestionPart => part.kind === 'question',
    );

  it('a question takes an answer after its dialog was opened twice at once', async () => {
    const conversation = await askWith(permission);
    await Promise.all([window.run('interns.answer'), window.run('interns.answer')]);
    // The second dialog replaces the first, so that it has the focus.
    await eventually(() => screen.boxes.length === 2);
    await screen.waitFor(/run_shell/);
    assert.equal(window.stands(conversation), 'open, shown');
    await window.choose(/./, 'Allow once');
    await eventually(() => window.textOf(conversation).includes('allow_once'));
    await window.run('interns.answer');
    assert.equal(screen.messages[0]?.text, 'No question is waiting for you.');
  });

  const cut = 'deploy --to production';
  const long = `${cut} ${'--with a-long-argument '.repeat(40)}; rm -rf /`;
  for (const [row, operation] of [
    ['Show all of it', long],
    ['Allow once', `${cut}\nrm -rf /`],
    ['allow_for_ever', long],
  ] as const)
    it(`the dialog allows a shortened operation only after all of it was shown (${row})`, async () => {
      const options = ['reject_always', 'allow_once', 'allow_for_ever'];
      const conversation = await askWith({ kind: 'permission', operation, options });
      await window.openDialog(/deploy --to production/);
      const offered = ['Allow once', 'Reject always', 'allow_for_ever', 'Cancel the question'];
      assert.deepEqual(screen.labels, ['Show all of it', ...offered]);
      const shown = () =>
        vscode.window.visibleTextEditors.find(({ document }) => document.getText() === operation);
      await window.choose(/./, row);
      await eventually(() => shown() !== undefined);
      assert.equal(window.stands(conversation), 'open, shown');
      assert.equal(shown()!.document.uri.scheme, 'interns-question');
      const settings = vscode.workspace.getConfiguration('editor', shown()!.document);
      assert.equal(settings.get('wordWrap'), 'on');
      await assert.rejects(screen.choose('Allow once'), 'the guard starts again');
      window.clock.advance(INPUT_GUARD_MS);
      await screen.enter();
      assert.equal(window.stands(conversation), 'open, shown', 'no row is active');
      await screen.choose('Allow once');
      await eventually(() => window.textOf(conversation).includes('allow_once'));
      await eventually(() => shown() === undefined);
    });

  it('the dialog rejects a shortened operation even before all of it was shown', async () => {
    const options = ['allow_once', 'reject_once'];
    const question = { kind: 'permission', operation: long, options } as const;
    const conversation = await askWith(question);
    await window.answer(/deploy/, 'Reject once');
    await eventually(() => window.textOf(conversation).includes('reject_once'));
  });

  it('the dialog spells out deceptive and hidden characters of an operation', async () => {
    const operation =
      'ls” · Allowed\u202e\u2800\u3164\u{e0041}\u200b\u00a0“x $(pass) [a](command:b)';
    await askWith({ kind: 'permission', operation, options: ['allow\u3164once'] });
    await window.openDialog(/asks to use/);
    const spelled = 'ls" · Allowed<U+202E><U+2800><U+3164><U+E0041><U+200B><U+00A0>"x';
    const inert = '$\u200b(pass) [a]\u200b(command:b)';
    assert.ok(screen.words.includes(`ada asks to use “${spelled} ${inert}” · less than`));
    assert.deepEqual(screen.labels, ['allow<U+3164>once', 'Cancel the question']);
  });

  it('a dialog that shows all of a question has no button to show more', async () => {
    await askWith(permission);
    await window.openDialog(/run_shell/);
    assert.deepEqual(screen.buttons, ['Show Conversation']);
  });

  it('an editor shows all of a long message and of long options', async () => {
    const options = ['a', 'b'].map((end) => `${'the same words '.repeat(20)}${end}`);
    const choice = { name: 'choice', type: 'string', required: true, options };
    const message = 'First line\nsecond line';
    await askWith({ kind: 'elicitation', message, fields: [choice] });
    await window.openDialog(/^choice$/m);
    await screen.press('Show Full Question');
    const whole = `${message}\n\nchoice:\n- ${options[0]}\n- ${options[1]}`;
    await eventually(() =>
      vscode.window.visibleTextEditors.some(({ document }) => document.getText() === whole),
    );
    assert.match(screen.words, /^choice$/m);
  });

  it('a form shows descriptions and defaults of fields, but never a secret', async () => {
    const text = { type: 'string', required: true, options: [] };
    const fields = [
      {
        ...text,
        name: 'branch',
        description: 'Where to [deploy](command:x) from',
        default: 'main',
      },
      { ...text, name: 'size', options: ['s', 'm'], description: 'How large', default: 'm' },
      { ...text, name: 'reply', type: 'password', default: 'not shown' },
      { ...text, name: 'pin' },
    ];
    const conversation = await askWith({ kind: 'elicitation', message: 'How?', fields });
    await window.openDialog(/^branch$/m);
    assert.match(
      screen.words,
      /^Where to \[deploy\]\u200b\(command:x\) from · ada asks: How\? · less/m,
    );
    assert.equal(screen.value, 'main');
    await screen.enter();
    await screen.waitFor(/^size$/m);
    assert.match(screen.words, /How large · ada asks/);
    await screen.enter();
    for (const name of ['reply', 'pin']) {
      await screen.waitFor(new RegExp(`^${name}$`, 'm'));
      assert.equal(screen.value, '');
      assert.deepEqual(
        [(screen.box as vscode.InputBox).password, screen.buttons.length],
        [true, 6],
      );
      await screen.submit(`hidden ${name}`);
    }
    await screen.waitFor(/ada asks: How\? · less/);
    assert.deepEqual(screen.rows.slice(1, 5), [
      'branch main',
      'size m',
      'reply ••••••',
      'pin ••••••',
    ]);
    await window.choose(/./, 'Accept');
    const content = { branch: 'main', size: 'm', reply: 'hidden reply', pin: 'hidden pin' };
    await eventually(
      () => window.textOf(conversation) === JSON.stringify({ kind: 'accepted', content }),
    );
    const record = JSON.stringify(questions(conversation));
    assert.doesNotMatch(record, /hidden/);
  });

  it('a message offers to clear a secret from the clipboard after sending', async () => {
    const pem = '-----BEGIN TEST-----\r\nbm8ga2V5\r\n-----END TEST-----\r\n';
    const field = { name: 'private_key', type: 'string', required: true, options: [] };
    const question = { kind: 'elicitation', message: 'Which key?', fields: [field] } as const;
    const conversation = await askWith(question);
    await vscode.env.clipboard.writeText(pem);
    await window.openDialog(/^private_key$/m);
    await screen.press('From the clipboard');
    await screen.waitFor(/ada asks: Which key/);
    assert.equal(screen.messages.length, 0);
    await window.choose(/./, 'Accept');
    const answered = JSON.stringify({ kind: 'accepted', content: { private_key: pem } });
    await eventually(() => window.textOf(conversation) === answered);
    await eventually(() => screen.messages.length > 0);
    const [message] = screen.messages;
    assert.equal(message!.text, 'A value for ada is still on the clipboard.');
    message!.press('Clear Clipboard');
    await eventually(async () => (await vscode.env.clipboard.readText()) === '');
  });

  it('a sign-out first cancels the open question of the account on the service', async () => {
    const conversation = await askWith(permission);
    const other = open('w2');
    await eventually(() => other.of(conversation) !== undefined);
    const endings: unknown[] = [];
    window.conversations.pendingQuestions.onDidChange(
      ({ ending }) => ending && endings.push(ending.kind),
    );
    const notHere = await other.ask(asking(permission));
    await eventually(() => window.of(notHere) !== undefined);
    await runsOfAccounts(window.conversations, window.log).stop(window.account);
    assert.deepEqual(endings, ['answered', 'run-ended']);
    assert.notEqual(service.state.session(conversation.transcript.session!)?.run, 'paused');
  });

  it('a question that ends while its dialog is open forgets the entered values', async () => {
    const conversation = await askWith({ kind: 'elicitation', message: 'Who?', fields: [name] });
    await window.close();
    window = open('w2');
    await eventually(() => window.of(conversation) !== undefined);
    await window.openDialog(/^name$/m);
    screen.write('Ada');
    const head = join(folder, 'conversations', 'heads', `${conversation.id}.json`);
    await rename(head, join(folder, 'gone'));
    await screen.waitForClosed();
    assert.equal(window.of(conversation), undefined);
    await rename(join(folder, 'gone'), head);
    await eventually(() => window.of(conversation) !== undefined);
    await window.openDialog(/^name$/m);
    assert.equal(screen.value, '');
  });
});
