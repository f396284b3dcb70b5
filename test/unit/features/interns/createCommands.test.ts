import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { ApiError, type Intern } from '../../../../src/api/index.ts';
import { DisposableStore } from '../../../../src/base/disposable.ts';
import {
  forgetInstructions,
  registerCreateCommands,
} from '../../../../src/features/interns/createCommands.ts';
import type { Creations } from '../../../../src/features/interns/creations.ts';
import { DraftFiles } from '../../../../src/platform/dialogs/draftFiles.ts';
import { TextEditing } from '../../../../src/platform/dialogs/editText.ts';
import { accountPaths } from '../../../../src/platform/storage/layout.ts';
import { eventually } from '../../../harness/until.ts';
import { creating } from '../../support/creating.ts';
import { FakeAccounts, internOf } from '../../support/fakeAccounts.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { BACK, LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';
import { useStubs } from '../../support/stubEditor.ts';
import { StubTabs } from '../../support/stubTabs.ts';

const NOW = 'Start provisioning now';
const WRITE = 'Write in an editor…';
const nothing = { dispose: () => undefined };

describe('the commands that create interns', () => {
  const stub = useStubs();
  const folder = useTemporaryFolder();
  let parts: DisposableStore;
  let fake: FakeAccounts;
  let tabs: StubTabs;
  /** The provider of read-only texts. */
  let texts: vscode.TextDocumentContentProvider;
  let said: string[];
  /** The interns whose rows were selected. */
  let revealed: string[];
  /** The context keys that were set. */
  let keys: Map<string, unknown>;

  beforeEach(async () => {
    parts = new DisposableStore();
    keys = new Map();
    revealed = [];
    fake = new FakeAccounts();
    for (const { id } of [fake.account, fake.other]) {
      const { root } = accountPaths(folder.path, id);
      await mkdir(dirname(root), { recursive: true });
      await writeFile(`${root}.json`, '{}');
    }
    tabs = new StubTabs(stub);
    ({ said } = tabs);
    stub(vscode.window, {
      createStatusBarItem: () => ({ hide: () => undefined, show: () => undefined, ...nothing }),
      onDidChangeTextEditorVisibleRanges: () => nothing,
      setStatusBarMessage: () => nothing,
      showErrorMessage: (message: string) => Promise.resolve(void said.push(message)),
      withProgress: (_options: unknown, task: (...args: unknown[]) => unknown) =>
        task({}, { onCancellationRequested: () => nothing }),
    });
    stub(vscode.languages, { setTextDocumentLanguage: (document: unknown) => document });
    stub(vscode.workspace, {
      registerTextDocumentContentProvider: (_scheme: string, provider: typeof texts) => {
        texts = provider;
        return nothing;
      },
    });
  });

  afterEach(() => parts.dispose());

  /** Opens a window whose user follows the script. */
  function open(script: readonly Move[]) {
    const { accounts, log, registrar } = fake;
    const dialogs = new ScriptedDialogs(script);
    const { interns, creations } = parts.add(creating(fake.ports));
    const files = new DraftFiles(folder.path, 'w');
    const editing = parts.add(new TextEditing(registrar, files));
    parts.add(
      registerCreateCommands({
        ...{ accounts, interns, creations, dialogs, log, registrar, texts: editing },
        contextKeys: { set: (key: string, value: unknown) => void keys.set(key, value) },
        reveal: (intern: string) => revealed.push(intern),
      }),
    );
    const run = registrar.run.bind(registrar);
    /** Creates from a `.intern.json` file that is open in an editor. */
    const createFrom = (file: object = {}) => {
      const uri = vscode.Uri.from({ scheme: 'file', path: '/a.intern.json' });
      const getText = () => JSON.stringify({ name: 'from-file', ...file });
      stub(vscode.workspace, { textDocuments: [{ uri, getText }] });
      return run('interns.createFromFile', [uri]);
    };
    const create = () => run('interns.createIntern', []);
    /** Starts a create, and types its instructions in the editor. */
    const write = async (text: string) => {
      const created = create();
      await eventually(() => tabs.open.length === 1);
      tabs.type(tabs.uri, text);
      return { created };
    };
    return { editing, dialogs, creations, create, createFrom, run, write };
  }

  const draft = ({ id } = fake.account) =>
    readFile(join(accountPaths(folder.path, id).drafts, 'w', 'instructions.md'), 'utf8');
  const hasDraft = () =>
    draft().then(
      () => true,
      () => false,
    );
  /** Stores a creation whose end is unknown. */
  const interrupt = async (creations: Creations, internId: string | null = null) => {
    const values = { name: 'ada', description: null, instructions: null, provision: true };
    const record = { ...(await creations.prepare(fake.account, values)), internId };
    await fake.account.store.creations.put(record);
    return record;
  };
  const created = (name: string): Intern => internOf({ id: name, name, status: 'running' });
  const sent = () => fake.creates.map(({ body }) => JSON.parse(body) as { instructions?: string });

  it('the next create dialog keeps the instructions of one that was left', async () => {
    const first = open(['ada', '', WRITE, LEAVE]);
    const { created: leaving } = await first.write('Be kind');
    await first.run('interns.useText', [tabs.uri]);
    await leaving;
    fake.createAnswers.push(created('eve'), created('bob'));
    await open(['eve', '', 'No instructions', NOW]).create();
    assert.equal(await draft(), 'Be kind');
    const next = open(['bob', '', WRITE, NOW]);
    const creation = next.create();
    await eventually(() => tabs.open.length === 1);
    await next.run('interns.useText', [tabs.uri]);
    await creation;
    assert.deepEqual(sent(), [
      { name: 'eve', provision: true },
      { name: 'bob', instructions: 'Be kind', provision: true },
    ]);
    assert.equal(await hasDraft(), false);
  });

  it('a create dialog takes instructions that are used after a reload', async () => {
    await open(['ada', '', WRITE]).write('Be kind');
    const { dialogs, run } = open(['ada', '', LEAVE]);
    await run('interns.useText', [tabs.uri]);
    assert.match(dialogs.shown[2]?.texts[1] ?? '', /7 characters so far/);
    assert.equal(dialogs.shown[2]?.value, WRITE);
    assert.equal(await draft(), 'Be kind');
  });

  for (const [command, instructions] of [
    ['useText', 'Be kind'],
    ['discardText', 'Be brief'],
  ] as const)
    it(`instructions stay a draft if the window reloads after ${command}`, async () => {
      const first = open(['ada', '', WRITE, BACK, WRITE]);
      await first.write('Be brief');
      await first.run('interns.useText', [tabs.uri]);
      await eventually(() => tabs.open.length === 1);
      tabs.type(tabs.uri, 'Be kind');
      await first.run(`interns.${command}`, [tabs.uri]);
      await eventually(() => first.dialogs.shown.length === 6);
      assert.equal(await draft(), instructions);
    });

  it('a creation goes on with progress in the status bar after its dialog was left', async () => {
    const shown: unknown[] = [];
    stub(vscode.window, {
      withProgress: async ({ location, title }: vscode.ProgressOptions, task: () => unknown) => {
        shown.push(location, title);
        await task();
        shown.push('done');
      },
    });
    const answers: ((intern: Intern) => void)[] = [];
    fake.createAnswers.push(created('bob'), new Promise((resolve) => answers.push(resolve)));
    await open(['bob', '', 'No instructions', NOW]).create();
    assert.deepEqual([shown, revealed], [[], ['bob']]);
    await open(['ada', '', 'No instructions', { leavingAfter: NOW }]).create();
    assert.deepEqual(shown, [vscode.ProgressLocation.Window, 'Creating ada…']);
    await eventually(() => answers.length === 1);
    answers[0]?.(created('ada'));
    await eventually(() => shown.includes('done'));
    assert.deepEqual(revealed, ['bob'], 'the user works elsewhere');
  });

  it('a creation that ends after its dialog was left deletes the draft of instructions', async () => {
    const answers: ((intern: Intern) => void)[] = [];
    fake.createAnswers.push(new Promise((resolve) => answers.push(resolve)));
    const { run, write } = open(['ada', '', WRITE, { leavingAfter: NOW }]);
    const { created: leaving } = await write('Be kind');
    await run('interns.useText', [tabs.uri]);
    await leaving;
    assert.equal(await hasDraft(), true);
    answers[0]?.(created('ada'));
    await eventually(async () => !(await hasDraft()));
  });

  it('a creation that ends after its dialog was left keeps the draft of other instructions', async () => {
    const answers: ((intern: Intern) => void)[] = [];
    fake.createAnswers.push(new Promise((resolve) => answers.push(resolve)));
    const first = open(['ada', '', WRITE, { leavingAfter: NOW }]);
    const { created: leaving } = await first.write('Be kind');
    await first.run('interns.useText', [tabs.uri]);
    await leaving;
    const second = open(['bob', '', WRITE, LEAVE]);
    const { created: left } = await second.write('Be brief');
    await second.run('interns.useText', [tabs.uri]);
    await left;
    answers[0]?.(created('ada'));
    await eventually(async () => (await fake.account.store.creations.list()).length === 0);
    // Until a draft would be deleted.
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(await draft(), 'Be brief');
  });

  it('one tab shows the whole description of a file until the dialog is left', async () => {
    const description = `Reviews\u202e ${'code '.repeat(30)}`;
    const { createFrom, dialogs } = open(['Show full description', 'Show full description', LEAVE]);
    const pick = dialogs.pick.bind(dialogs);
    const contents: unknown[] = [];
    const content = () =>
      tabs.open.map((tab) =>
        texts.provideTextDocumentContent(tab as vscode.Uri, undefined as never),
      );
    dialogs.pick = (options) => {
      contents.push(content());
      return pick(options);
    };
    await createFrom({ description });
    const whole = description.replace('\u202e', '<U+202E>');
    assert.deepEqual(contents, [[], [whole], [whole]]);
    assert.deepEqual(tabs.open, []);
  });

  it('a creation from a file leaves the draft of another dialog alone', async () => {
    const { write } = open(['ada', '', WRITE]);
    await write('Be kind');
    const long = 'Be brief. '.repeat(20);
    tabs.open.pop();
    fake.createAnswers.push(created('from-file'));
    const { createFrom, run } = open([NOW, NOW]);
    const creating = createFrom({ instructions: long });
    await eventually(() => tabs.open.length === 1);
    await run('interns.useText', [tabs.uri]);
    await creating;
    assert.deepEqual(sent(), [{ name: 'from-file', instructions: long, provision: true }]);
    assert.equal(await draft(), '');
  });

  for (const [fault, file, problem] of [
    ['for another workspace', { workspace_id: 'ws_2' }, /for workspace ws_2, but.* workspace-1/],
    ['with an invalid name', { name: 'Ada' }, /^“name”: /],
  ] as const)
    it(`a creation refuses a file ${fault}`, async () => {
      await open([]).createFrom(file);
      assert.match(said.join(), problem);
    });

  for (const [failure, kind, says] of [
    [
      'a lost connection',
      'network',
      /Couldn’t reach the service\..*The intern may have been created/,
    ],
    ['too many requests', 'rate-limited', /Too many requests\..*The intern wasn’t created\.$/],
  ] as const)
    it(`a creation whose dialog was left says after ${failure} whether the intern exists`, async () => {
      fake.createAnswers.push(new ApiError({ kind, route: 'create', message: '' }));
      await open(['ada', '', 'No instructions', { leavingAfter: NOW }]).create();
      await eventually(() => said.length === 1);
      assert.match(said[0] ?? '', says);
    });

  for (const [title, internId, says] of [
    ['is not known to exist', null, /^Service error\. .* The intern may have been created/],
    ['is known to exist', 'i1', /^Service error\. Try again later\.$/],
  ] as const)
    it(`a failed resumption gives its reason for an intern that ${title}`, async () => {
      const { creations, run } = open([]);
      const record = await interrupt(creations, internId);
      const failure = { kind: 'server-error', route: 'create', message: '', status: 500 } as const;
      fake.createAnswers.push(new ApiError(failure));
      await run('interns.resumeCreation', [{ creation: record.id }]);
      assert.match(said.join(), says);
    });

  it('commands for interrupted creations are on only while there is one', async () => {
    const { creations } = open([]);
    const isOn = (expected: boolean) =>
      eventually(() => keys.get('interns.creationToResume') === expected);
    await isOn(false);
    const record = await interrupt(creations);
    await isOn(true);
    await fake.account.store.creations.remove(record.id);
    await isOn(false);
  });

  it('a second creation shows the open instructions instead of a dialog', async () => {
    const { create, createFrom, write } = open(['ada', '', WRITE]);
    await write('Be kind');
    tabs.open.pop();
    await create();
    await createFrom();
    assert.deepEqual([said.length, tabs.open.length], [2, 1]);
    assert.match(said[0] ?? '', /Use or discard these instructions/);
  });

  it('deleting an account deletes its draft of instructions', async () => {
    const { editing, write } = open(['ada', '', WRITE]);
    await write('Be kind');
    await forgetInstructions(editing, fake.other);
    assert.deepEqual([await hasDraft(), tabs.open.length], [true, 1]);
    await forgetInstructions(editing, fake.account);
    assert.deepEqual([await hasDraft(), tabs.open.length], [false, 0]);
  });
});
