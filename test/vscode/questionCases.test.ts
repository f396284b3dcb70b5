import assert from 'node:assert/strict';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Conversation } from '../../src/chat/conversation.ts';
import { ANSWER_TIME_MS } from '../../src/chat/questions/countdown.ts';
import type { QuestionPart } from '../../src/chat/transcript.ts';
import { runsOfAccounts } from '../../src/host/chat/runsOfAccounts.ts';
import { GUARD_MS } from '../../src/host/questions/guardedPick.ts';
import type { FieldDescriptor } from '../service/core/interactions.ts';
import { startService, type Service, type ServiceOptions } from '../service/service.ts';
import { asking, askingBrain } from './support/askingBrain.ts';
import { QuestionWindow } from './support/questionWindow.ts';
import { Screen } from './support/screen.ts';
import { eventually } from './support/workspace.ts';

const BURST = 50;

describe('a question that is out of the common', () => {
  let folder: string;
  let service: Service;
  let screen: Screen;
  let window: QuestionWindow;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'interns-'));
    await start({});
  });

  async function start(options: ServiceOptions): Promise<void> {
    service = await startService(options);
    screen = new Screen();
    window = new QuestionWindow({ service, folder, window: 'w1' });
  }

  async function stop(): Promise<void> {
    await screen.dispose();
    await window.close();
    await service.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }

  afterEach(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  async function answer(words: RegExp, label: string): Promise<void> {
    await window.run('interns.answer');
    await screen.waitFor(words);
    window.clock.advance(GUARD_MS);
    await screen.choose(label);
    await screen.waitForClosed();
  }

  const questions = ({ transcript }: Conversation) =>
    (transcript.lastReply?.parts ?? []).filter(
      (part): part is QuestionPart => part.kind === 'question',
    );

  const submit = (conversation: Conversation, text: string) =>
    conversation.send({ type: 'submit', prompt: { text, sent: text, attachments: [] } });

  it(`of a burst of ${BURST} is asked in its turn, none is lost and none comes twice`, async function () {
    this.timeout(60_000);
    await stop();
    await start({ brain: askingBrain });
    const conversations: Conversation[] = [];
    for (let index = 0; index < BURST; index += 1) {
      const options = ['allow_once', 'reject_once'];
      const question = { kind: 'permission', operation: `tool-${index}`, options } as const;
      conversations.push(await window.ask(asking(question)));
      window.clock.advance(10);
    }
    assert.match(
      screen.statusItems[0]!.text,
      new RegExp(`^\\$\\(bell-dot\\) ${BURST} questions ·`),
    );
    assert.equal(window.badge?.value, BURST);
    const asked: string[] = [];
    for (let left = BURST; left > 0; left -= 1) {
      await window.run('interns.answer');
      await screen.waitFor(/tool-\d+/);
      asked.push(/tool-\d+/.exec(screen.words)![0]);
      window.clock.advance(GUARD_MS);
      await screen.choose(left % 2 === 0 ? 'Allow once' : 'Reject once');
      await eventually(() => window.badge?.value === (left > 1 ? left - 1 : undefined));
    }
    assert.deepEqual(
      asked,
      conversations.map((_, index) => `tool-${index}`),
    );
    for (const [index, conversation] of conversations.entries()) {
      const option = index % 2 === 0 ? 'allow_once' : 'reject_once';
      const told = JSON.stringify({ kind: 'chosen', option });
      await eventually(() => window.textOf(conversation) === told);
    }
    await window.run('interns.answer');
    assert.deepEqual(
      screen.messages.map(({ text }) => text),
      ['No question waits for an answer.'],
    );
  });

  it('whose dialog is asked for twice in a moment is open after it, and can be answered', async () => {
    const conversation = await window.ask('ask permission');
    await Promise.all([window.run('interns.answer'), window.run('interns.answer')]);
    // The second one takes the place of the first, so that the focus is in it wherever it was.
    await eventually(() => screen.boxes.length === 2);
    await screen.waitFor(/run_shell/);
    assert.equal(window.of(conversation)?.state, 'shown');
    window.clock.advance(GUARD_MS);
    await screen.choose('Allow once');
    await eventually(() => window.textOf(conversation).includes('`allow_once`'));
  });

  it('in a self-drive run is asked like any other, and never answered by itself', async () => {
    const conversation = await window.ask('ask permission always', 'self-drive');
    window.clock.advance(ANSWER_TIME_MS - 10_000);
    assert.equal(window.of(conversation)?.state, 'pending');
    assert.equal(service.state.session(conversation.state.session!)?.run, 'paused');
    await answer(/ada asks to use an unnamed tool/, 'Reject once');
    await eventually(() => window.textOf(conversation).includes('`reject_once`'));
  });

  it('offers an unknown option after the known ones, verbatim, as one that may allow', async () => {
    const conversation = await window.ask('ask permission odd');
    await window.run('interns.answer');
    await screen.waitFor(/asks to use/);
    const odd = screen.rows.at(-2)!;
    assert.match(odd, /It may allow the operation\.$/);
    assert.equal(screen.labels.at(-1), 'Cancel the question');
    window.clock.advance(GUARD_MS);
    const option = screen.labels.at(-2)!;
    await screen.choose(option);
    await eventually(() => window.textOf(conversation).includes(`\`${option}\``));
  });

  it('asks for an operation that its title has no room for: a button shows it to the letter, and the dialog stays as it was', async () => {
    await stop();
    await start({ brain: askingBrain });
    const operation = `deploy --to production ${'--with a-long-argument '.repeat(40)}; rm -rf /`;
    const options = ['reject_always', 'allow_once'];
    const conversation = await window.ask(asking({ kind: 'permission', operation, options }));
    await window.run('interns.answer');
    await screen.waitFor(/deploy --to production/);
    assert.ok(!screen.words.includes('rm -rf'), 'the title is cut');
    await screen.press('Show All That Is Asked');
    const shown = () =>
      vscode.window.visibleTextEditors.find(({ document }) => document.getText() === operation);
    await eventually(() => shown() !== undefined);
    assert.equal(shown()!.document.uri.scheme, 'interns-question');
    const settings = vscode.workspace.getConfiguration('editor', shown()!.document);
    assert.equal(settings.get('wordWrap'), 'on');
    assert.deepEqual(screen.labels, ['Allow once', 'Reject always', 'Cancel the question']);
    assert.match(screen.words, /deploy --to production/);
    window.clock.advance(GUARD_MS);
    await screen.enter();
    assert.equal(window.of(conversation)?.state, 'shown', 'no row became active');
    await screen.choose('Reject always');
    await eventually(() => window.textOf(conversation).includes('reject_always'));
    await eventually(() => shown() === undefined);
  });

  it('that its dialog has room for has no such button', async () => {
    await window.ask('ask permission');
    await window.run('interns.answer');
    await screen.waitFor(/run_shell/);
    assert.deepEqual(screen.buttons, ['Show Conversation']);
  });

  it('shows a message of many lines and options that are cut to the letter', async () => {
    await stop();
    await start({ brain: askingBrain });
    const options = ['a', 'b'].map((end) => `${'the same words '.repeat(20)}${end}`);
    const choice = { name: 'choice', type: 'string', required: true, options };
    const message = 'First line\nsecond line';
    await window.ask(asking({ kind: 'elicitation', message, fields: [choice] }));
    await window.run('interns.answer');
    await screen.waitFor(/^choice$/m);
    await screen.press('Show All That Is Asked');
    const whole = `${message}\n\nchoice:\n- ${options[0]}\n- ${options[1]}`;
    await eventually(() =>
      vscode.window.visibleTextEditors.some(({ document }) => document.getText() === whole),
    );
    assert.match(screen.words, /^choice$/m);
  });

  it('shares its chunk with another one: both are on record, and the one that was withdrawn is never asked', async () => {
    const conversation = await window.ask('ask together');
    assert.equal(window.questions.broker.open().length, 1, 'one after the other');
    await answer(/read_file/, 'Allow once');
    await eventually(() => conversation.state.phase.kind === 'idle');
    assert.deepEqual(
      questions(conversation).map(({ state, why }) => [state, why]),
      [
        ['answered', null],
        ['closed', 'run-ended'],
      ],
    );
    assert.deepEqual(window.questions.broker.open(), []);
  });

  it('follows another one in the same run, and is asked by itself before the user who watches', async () => {
    const conversation = await window.ask('ask twice');
    window.watch(conversation);
    window.clock.advance(1_000);
    await screen.waitFor(/read_file/);
    window.clock.advance(GUARD_MS);
    await screen.choose('Allow once');
    await window.passUntil(() => screen.words.includes('write_file'));
    await screen.waitFor(/write_file/);
    window.clock.advance(GUARD_MS);
    await screen.choose('Reject once');
    await eventually(() => window.textOf(conversation).includes('`reject_once`'));
  });

  for (const prompt of ['ask unknown tool', 'ask unknown kind', 'ask bad arguments'])
    it(`cannot be read (${prompt}): nothing is asked, nothing is sent, and the record says so`, async () => {
      const { conversation } = window.conversations.create(window.account, 'intern_ada');
      submit(conversation, prompt);
      await eventually(() => questions(conversation).length > 0);
      await eventually(() => conversation.state.phase.kind === 'idle');
      assert.equal(questions(conversation)[0]!.why, 'unanswerable');
      assert.equal(screen.box, undefined);
      assert.equal(service.state.session(conversation.state.session!)?.run, 'paused');
    });

  it('with the same field twice asks for it once, by its first descriptor, with its JSON type', async () => {
    await stop();
    await start({ brain: askingBrain });
    const pick: FieldDescriptor = {
      name: 'pick',
      type: 'integer',
      required: true,
      options: ['1', '2', 'many'],
    };
    const again: FieldDescriptor = { ...pick, type: 'string', required: false, options: [] };
    const fields = [pick, again];
    const conversation = await window.ask(asking({ kind: 'elicitation', message: 'Pick', fields }));
    await window.run('interns.answer');
    await screen.waitFor(/^pick$/m);
    await screen.choose('2');
    await screen.waitFor(/ada asks: Pick/);
    window.clock.advance(GUARD_MS);
    await screen.choose('Accept');
    const told = JSON.stringify({ kind: 'accepted', content: { pick: 2 } });
    await eventually(() => window.textOf(conversation) === told);
  });

  it('is cancelled by Stop, which closes its dialog', async () => {
    const conversation = await window.ask('ask permission');
    await window.run('interns.answer');
    await screen.waitFor(/run_shell/);
    conversation.send({ type: 'stop' });
    await screen.waitForClosed();
    await eventually(() => conversation.state.phase.kind === 'idle');
    assert.equal(questions(conversation)[0]!.how, 'cancel');
    assert.deepEqual(screen.messages, []);
  });

  it('is cancelled on the service before its account is signed out, and not told as closed in another window', async () => {
    const conversation = await window.ask('ask permission');
    const other = new QuestionWindow({ service, folder, window: 'w2' });
    await eventually(() => other.of(conversation) !== undefined);
    const endings: unknown[] = [];
    window.questions.broker.onDidChange(({ ending }) => ending && endings.push(ending.kind));
    const notHere = await other.ask('ask permission');
    await eventually(() => window.of(notHere) !== undefined);
    await runsOfAccounts(window.conversations, window.questions.broker).stop('account-1');
    assert.deepEqual(endings, ['answered', 'run-ended']);
    assert.notEqual(service.state.session(conversation.state.session!)?.run, 'paused');
    await other.close();
  });

  it('takes what was entered with it when it ends, be its dialog open: no value stays in memory', async () => {
    const conversation = await window.ask('ask name');
    await window.run('interns.answer');
    await screen.waitFor(/^name$/m);
    screen.write('Ada');
    const questionsDir = join(folder, 'questions');
    const [record] = (await readdir(questionsDir)).filter((name) => name.endsWith('.json'));
    await rename(join(questionsDir, record!), join(folder, 'gone'));
    await screen.waitForClosed();
    assert.equal(window.of(conversation), undefined);
    await rename(join(folder, 'gone'), join(questionsDir, record!));
    await eventually(() => window.of(conversation) !== undefined);
    await window.run('interns.answer');
    await screen.waitFor(/^name$/m);
    assert.equal(screen.value, '');
  });

  it('lets a prompt wait, and is cancelled for it when its user says so', async () => {
    const conversation = await window.ask('ask permission');
    submit(conversation, 'echo what came later');
    assert.equal(conversation.state.queue.length, 1);
    conversation.send({ type: 'cancel-and-send' });
    await eventually(() => window.textOf(conversation).includes('what came later'));
    assert.equal(window.of(conversation), undefined);
  });

  it('lets a prompt go at once when its time is up', async () => {
    const conversation = await window.ask('ask permission');
    window.clock.advance(ANSWER_TIME_MS);
    service.state.endRun(conversation.state.session!);
    submit(conversation, 'echo the next one');
    await eventually(() => window.textOf(conversation).includes('the next one'));
    assert.equal(window.of(conversation), undefined);
  });

  it('counts as answered where the reply then fails in its stream, and the text stays', async () => {
    await stop();
    await start({
      brain: function* () {
        yield { do: 'say', text: 'before ' };
        const options = ['allow_once'];
        yield { do: 'ask', interactions: [{ kind: 'permission', operation: 'shell', options }] };
        yield { do: 'say', text: 'after' };
        yield { do: 'fail', reason: 'turn_failed', code: 502, message: 'No.', early: false };
        return undefined;
      },
    });
    const conversation = await window.ask('go');
    await answer(/shell/, 'Allow once');
    await eventually(() => conversation.state.phase.kind === 'idle');
    assert.equal(window.textOf(conversation), 'before after');
    assert.equal(questions(conversation)[0]!.state, 'answered');
    assert.equal(conversation.transcript.lastReply?.state, 'failed');
  });

  it('goes when the intern ends its run on being cancelled, which is no failure of the answer', async () => {
    const conversation = await window.ask('ask or end');
    await answer(/run_shell/, 'Cancel the question');
    await eventually(() => conversation.state.phase.kind === 'idle');
    assert.equal(questions(conversation)[0]!.how, 'cancel');
    assert.equal(conversation.transcript.lastReply?.failure?.kind, 'run-ended');
  });
});
