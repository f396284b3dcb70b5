import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ApiError, type Intern } from '../../../../src/api/index.ts';
import { DisposableStore } from '../../../../src/base/disposable.ts';
import { CommandRegistrar } from '../../../../src/platform/commands/registrar.ts';
import { CreateCommands } from '../../../../src/features/interns/createCommands.ts';
import { emptyValues } from '../../../../src/features/interns/createValues.ts';
import { Creations } from '../../../../src/features/interns/creations.ts';
import type { DraftFiles } from '../../../../src/platform/dialogs/draftFiles.ts';
import { KeptValues } from '../../../../src/features/interns/keptValues.ts';
import { InternModel } from '../../../../src/features/interns/internModel.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeAccounts, internOf } from '../../support/fakeAccounts.ts';
import { eventually } from '../../../harness/until.ts';
import { noWatcher, useTemporaryFolder } from '../../support/folders.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { LEAVE, ScriptedPrompts, type Move } from '../../support/scriptedPrompts.ts';
import { useStubs } from '../../support/stubEditor.ts';

const NOW = 'Start provisioning now';
const nothing = { dispose: () => undefined };

describe('what was entered in Create Intern…', () => {
  const stub = useStubs();
  let parts: DisposableStore;
  let fake: FakeAccounts;
  const folder = useTemporaryFolder();
  let kept: KeptValues;
  /** What stands in instructions tabs, by address. */
  let drafts: Map<string, string>;
  /** The providers of texts, by scheme. */
  let texts: Map<string, vscode.TextDocumentContentProvider>;
  let opened: vscode.Uri[];
  let said: string[];

  beforeEach(() => {
    parts = new DisposableStore();
    fake = new FakeAccounts();
    for (const account of [fake.account, fake.other])
      Object.assign(account.store, { draftsDir: join(folder.path, account.id) });
    const unreadable = { watch: noWatcher, reportUnreadable: () => undefined };
    kept = new KeptValues({ workspace: 'w', ...unreadable });
    drafts = new Map();
    opened = [];
    said = [];
    const item = { hide: () => undefined, show: () => undefined, ...nothing };
    stub(vscode.window, {
      createStatusBarItem: () => item,
      onDidChangeActiveTextEditor: () => nothing,
      onDidChangeTextEditorVisibleRanges: () => nothing,
      setStatusBarMessage: () => nothing,
      showTextDocument: (document: unknown) => Promise.resolve({ document, visibleRanges: [] }),
      showErrorMessage: (message: string) => Promise.resolve(void said.push(message)),
      withProgress: (_options: unknown, task: (...args: unknown[]) => unknown) =>
        task({}, { onCancellationRequested: () => nothing }),
      showInformationMessage: (message: string) => Promise.resolve(said.push(message)),
      tabGroups: { all: [], close: () => Promise.resolve(true) },
    });
    stub(vscode.languages, { setTextDocumentLanguage: (document: unknown) => document });
    texts = new Map();
    stub(vscode.workspace, {
      registerTextDocumentContentProvider: (
        scheme: string,
        provider: vscode.TextDocumentContentProvider,
      ) => {
        texts.set(scheme, provider);
        return nothing;
      },
      onDidChangeTextDocument: () => nothing,
      openTextDocument: (uri: vscode.Uri) => {
        opened.push(uri);
        const getText = () => drafts.get(uri.toString()) ?? '';
        const lineAt = () => ({ range: {} });
        const save = () => Promise.resolve(true);
        return Promise.resolve({ uri, getText, save, lineCount: 1, lineAt });
      },
    });
  });

  afterEach(() => parts.dispose());

  /** A window whose user does what the script says. */
  function open(script: readonly Move[]) {
    const { accounts } = fake;
    const clock = new FakeClock();
    const log = new RecordingLog();
    const prompts = new ScriptedPrompts(script);
    const interns = parts.add(new InternModel({ accounts, clock, log }));
    const idempotencyHeader = () => '';
    const creations = parts.add(
      new Creations({
        ...{ accounts, clock, log, interns, idempotencyHeader },
        ...{ newId: () => 'uuid-1', window: 'here' },
      }),
    );
    const files = {
      scheme: 'interns-draft',
      has: (uri: vscode.Uri) => drafts.has(uri.toString()),
      writeFile: (uri: vscode.Uri, text: Uint8Array) => {
        drafts.set(uri.toString(), new TextDecoder().decode(text));
        return Promise.resolve();
      },
      delete: (uri: vscode.Uri) => Promise.resolve(drafts.delete(uri.toString())),
    } as unknown as DraftFiles;
    const registrar = new CommandRegistrar(log, accounts);
    const commands = parts.add(
      new CreateCommands(registrar, {
        ...{ accounts, interns, creations, prompts, log, idempotencyHeader, kept },
        drafts: files,
        reveal: () => undefined,
      }),
    );
    const resume = (creation: string) => registrar.run('interns.resumeCreation', [{ creation }]);
    const create = () => registrar.run('interns.createIntern', []);
    return { commands, prompts, creations, create, resume };
  }

  const keptName = () => kept.get(fake.account).name || undefined;
  const created = (name: string): Intern => internOf({ id: name, name, status: 'running' });
  const file = { ...emptyValues, name: 'from-file', source: 'none' } as const;

  it('is there again when the dialog is opened anew', async () => {
    await open(['ada', LEAVE]).create();
    const { create, prompts } = open([LEAVE]);
    await create();
    assert.equal(prompts.shown[0]?.value, 'ada');
  });

  it('shows the whole description of a file in a tab of its own until the dialog is left', async () => {
    const description = `Reviews\u202e ${'code '.repeat(30)}`;
    const { commands, prompts } = open(['Show the whole', 'Show the whole', LEAVE]);
    const pick = prompts.pick.bind(prompts);
    const contents: unknown[] = [];
    const content = () =>
      opened.map((uri) =>
        texts.get(uri.scheme)?.provideTextDocumentContent(uri, undefined as never),
      );
    prompts.pick = (options) => {
      contents.push(content());
      return pick(options);
    };
    await commands.createFrom({ ...file, description }, 'provision');
    const whole = description.replace('\u202e', '<U+202E>');
    assert.deepEqual(contents, [[], [whole], [whole, whole]]);
    assert.equal(new Set(opened.map(String)).size, 1, 'it is one tab');
    assert.deepEqual(content(), Array(2).fill('This text is no longer available.'));
  });

  it('is erased by no creation from a file, whether that is left or done', async () => {
    await open(['ada', LEAVE]).create();
    await open([LEAVE]).commands.createFrom(file, 'provision');
    assert.equal(keptName(), 'ada');
    fake.createAnswers.push(created('from-file'));
    await open([NOW]).commands.createFrom(file, 'provision');
    assert.equal(keptName(), 'ada');
  });

  it('is forgotten once an intern came of it, also after the dialog was left', async () => {
    fake.createAnswers.push(created('ada'));
    await open(['ada', '', 'No instructions', NOW]).create();
    assert.equal(keptName(), undefined);
    const answers: ((intern: Intern) => void)[] = [];
    fake.createAnswers.push(new Promise((resolve) => answers.push(resolve)));
    await open(['bob', '', 'No instructions', { leavingAfter: NOW }]).create();
    assert.equal(keptName(), 'bob');
    answers[0]?.(created('bob'));
    await eventually(() => keptName() === undefined);
  });

  for (const [kind, says] of [
    ['network', /cannot be reached\..*It is not known whether the intern was created/],
    ['rate-limited', /Too many requests were sent\..*The intern wasn’t created\.$/],
  ] as const)
    it(`says what became of the intern after ${kind} when the dialog was left`, async () => {
      fake.createAnswers.push(new ApiError({ kind, route: 'create', message: '' }));
      await open(['ada', '', 'No instructions', { leavingAfter: NOW }]).create();
      await eventually(() => said.length === 1);
      assert.match(said[0] ?? '', says);
    });

  /** Resumes a create, which fails, and returns what the user is told. */
  async function failedResumption(internId: string | null): Promise<string> {
    const { creations, resume } = open([]);
    const draft = { name: 'ada', description: null, instructions: null, provision: true };
    const record = { ...(await creations.prepare(fake.account, draft)), internId };
    await fake.account.store.creations.put(record);
    const failure = { kind: 'server-error', route: 'create', message: '', status: 500 } as const;
    fake.createAnswers.push(new ApiError(failure));
    await resume(record.id);
    return said.join();
  }

  it('says what became of the intern when a resumption fails', async () => {
    assert.match(await failedResumption(null), /^The service failed\. .* It is not known whether/);
  });

  it('says nothing on whether an intern exists that is known when a resumption fails', async () => {
    assert.match(await failedResumption('i1'), /^The service failed\. .* Try again later\.$/);
  });

  it('is not hidden without a word behind a tab of instructions', async () => {
    const { create, commands } = open(['ada', '', 'Write in an editor…']);
    void create();
    await eventually(() => drafts.size === 1);
    await create();
    await commands.createFrom(file, 'provision');
    assert.equal(said.length, 2);
    assert.match(said[0] ?? '', /use these instructions, or cancel them/);
  });

  it('goes with the account that is signed out and deleted, and the text of its instructions too', async () => {
    const { create, commands } = open(['ada', '', 'Write in an editor…']);
    void create();
    await eventually(() => drafts.size === 1);
    await commands.forget(fake.other);
    assert.deepEqual([keptName(), drafts.size], ['ada', 1], 'what is of another account stays');
    await commands.forget(fake.account);
    assert.deepEqual([keptName(), drafts.size], [undefined, 0]);
  });
});
