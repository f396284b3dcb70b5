import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { systemClock } from '../../src/base/clock.ts';
import { commands, type CommandArguments } from '../../src/platform/commands/ids.ts';
import { type PromptContext, PromptContexts } from '../../src/features/context/promptContext.ts';
import { registerProblemActions } from '../../src/features/context/editorItems.ts';
import { addCommands } from '../../src/features/chatPanel/commands/addCommands.ts';
import type { ChatCommandPorts } from '../../src/features/chatPanel/commands/conversationCommands.ts';
import { LastTextEditor } from '../../src/features/editor/lastTextEditor.ts';
import { UserError } from '../../src/platform/text/reportFailure.ts';
import { eventually } from '../harness/until.ts';
import { useFolder, writeFile } from './support/workspace.ts';

const lines = ['function first() {', '  return 1;', '}', '', 'first();'];

describe('commands that add to a chat', () => {
  const folder = useFolder('sending');
  /** A new one for each test, because VS Code remembers the selections of files. */
  let file: vscode.Uri;
  let files = 0;
  let context: PromptContext;
  let active: string | undefined;
  let chosen: string | undefined;
  let steps: string[];
  let lastEditor: LastTextEditor;
  let ports: ChatCommandPorts;

  const labels = () => context.attachments.map(({ label }) => label);
  const sent = () => context.compose('').sent;
  const path = () => vscode.workspace.asRelativePath(file);
  const send = (...given: unknown[]) => {
    const [source] = commands['interns.sendSelection'](given);
    return addCommands['interns.sendSelection'](ports, source);
  };
  const select = (editor: vscode.TextEditor, ...ranges: readonly number[][]) => {
    editor.selections = ranges.map(
      ([line = 0, from = 0, endLine = line, to = from]) =>
        new vscode.Selection(line, from, endLine, to),
    );
  };

  beforeEach(async () => {
    file = await writeFile(folder, `first-${++files}.ts`, lines.join('\n'));
    active = 'here';
    chosen = undefined;
    steps = [];
    lastEditor = new LastTextEditor(systemClock);
    const contexts = new PromptContexts({
      drafts: {
        get: () => ({ text: '', attached: [] }),
        set: () => void steps.push('attach'),
      },
      texts: {
        editText: () => assert.fail(),
        show: () => assert.fail(),
        unusedName: () => assert.fail(),
      },
    });
    context = contexts.for('here');
    const pageOf = (id: string) => ({
      open: { conversation: { id } },
      surface: { visible: true },
    });
    ports = {
      lastEditor,
      accounts: { active: {} },
      contexts: { for: () => context },
      conversations: { list: () => Promise.resolve([{ id: 'latest' }]) },
      picker: {
        pick: () => {
          steps.push('choose');
          return Promise.resolve(chosen);
        },
      },
      pages: {
        get lastUsedPage() {
          return active === undefined ? undefined : pageOf(active);
        },
        show: (_account: unknown, id: string) => Promise.resolve(pageOf(id)),
        showFromAnyAccount: (id: string) => Promise.resolve(steps.push(`reveal ${id}`)),
      },
    } as unknown as ChatCommandPorts;
  });

  afterEach(async () => {
    lastEditor.dispose();
    context.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('the command adds the selection with its lines to the active chat', async () => {
    select(await vscode.window.showTextDocument(file), [0, 9, 2, 0]);
    await send();
    assert.deepEqual(labels(), [`${path()}:1-2`]);
    assert.match(sent(), /^```ts .*\nfirst\(\) \{\n {2}return 1;\n```$/u);
    assert.deepEqual(steps, ['attach', 'reveal here']);
  });

  it('the command adds each of several selections to the chat', async () => {
    select(await vscode.window.showTextDocument(file), [0, 0, 0, 8], [4, 0, 4, 5]);
    await send();
    assert.deepEqual(labels(), [`${path()}:1`, `${path()}:5`]);
  });

  it('the command adds the line of the cursor to the chat if nothing is selected', async () => {
    select(await vscode.window.showTextDocument(file), [1, 3]);
    await send(file);
    assert.deepEqual(labels(), [`${path()}:2`]);
    assert.match(sent(), /\n {2}return 1;\n/u);
  });

  it('the command opens no chat for an empty line', async () => {
    select(await vscode.window.showTextDocument(file), [3, 0]);
    await assert.rejects(send(), UserError);
    assert.deepEqual(steps, []);
  });

  it('the menu of an editor without a file adds its selection to the chat', async () => {
    await vscode.window.showTextDocument(file);
    // The editors of the Output panel and of texts opened from a chat have none.
    const provideTextDocumentContent = () => 'compiling\n2 tests failed\ndone';
    const scheme = 'adding-test';
    const text = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent,
    });
    const uri = vscode.Uri.from({ scheme, path: '/output' });
    select(await vscode.window.showTextDocument(uri), [1, 0, 1, 14]);
    await send(uri);
    text.dispose();
    assert.deepEqual(labels(), ['/output:2']);
    assert.match(sent(), /^```plaintext .*\n2 tests failed\n```$/u);
  });

  it('the explorer adds all files that are selected to the chat', async () => {
    const other = await writeFile(folder, 'other.ts', 'other');
    select(await vscode.window.showTextDocument(file), [0, 0, 0, 8]);
    await send(file, [file, other]);
    assert.deepEqual(labels(), [path(), vscode.workspace.asRelativePath(other)]);
  });

  it('the command adds a file to the chat by its URI components', async () => {
    await send({ scheme: file.scheme, path: file.path });
    assert.deepEqual(labels(), [path()]);
  });

  it('the command asks for a chat to add to if none is active', async () => {
    select(await vscode.window.showTextDocument(file), [1, 0]);
    active = undefined;
    await send();
    assert.deepEqual(steps, ['choose']);
    chosen = 'intern';
    await send();
    assert.deepEqual(steps, ['choose', 'choose', 'attach', 'reveal latest']);
  });

  describe('selections of a terminal', () => {
    let terminal: vscode.Terminal;
    let writer: vscode.EventEmitter<string>;

    beforeEach(async () => {
      writer = new vscode.EventEmitter<string>();
      let opened = false;
      const open = () => (opened = true);
      const pty = { onDidWrite: writer.event, open, close: () => undefined };
      terminal = vscode.window.createTerminal({ name: 'build', pty });
      terminal.show();
      await eventually(() => opened && vscode.window.activeTerminal === terminal);
    });

    afterEach(() => {
      terminal.dispose();
      writer.dispose();
    });

    it('the clipboard stays the same after the selection of a terminal was added', async () => {
      await vscode.env.clipboard.writeText('mine');
      writer.fire('\r\n2 tests failed\r\n');
      await eventually(async () => {
        await vscode.commands.executeCommand('workbench.action.terminal.selectAll');
        try {
          await send(terminal, [terminal]);
          return true;
        } catch {
          // The terminal draws asynchronously.
          return false;
        }
      });
      assert.deepEqual(labels(), ['Terminal build']);
      assert.match(sent(), /^```console build\n[^]*2 tests failed\n[^]*```$/u);
      assert.equal(await vscode.env.clipboard.readText(), 'mine');
    });

    it('the clipboard stays the same after an empty selection of a terminal was rejected', async () => {
      await vscode.env.clipboard.writeText('mine');
      await vscode.commands.executeCommand('workbench.action.terminal.clearSelection');
      await assert.rejects(send(terminal, [terminal]), UserError);
      assert.deepEqual(steps, []);
      assert.equal(await vscode.env.clipboard.readText(), 'mine');
    });
  });

  describe('problems', () => {
    let diagnostics: vscode.DiagnosticCollection;

    beforeEach(() => {
      diagnostics = vscode.languages.createDiagnosticCollection('test');
      const problem = new vscode.Diagnostic(
        new vscode.Range(1, 2, 1, 8),
        'Bad return.\n# Not a heading',
        vscode.DiagnosticSeverity.Warning,
      );
      problem.source = 'test';
      problem.code = 'E42';
      diagnostics.set(file, [problem]);
    });

    afterEach(() => diagnostics.dispose());

    const offered = async (isSignedIn: boolean) => {
      const registration = registerProblemActions(() => isSignedIn);
      await vscode.window.showTextDocument(file);
      try {
        const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
          'vscode.executeCodeActionProvider',
          file,
          new vscode.Range(1, 2, 1, 8),
        );
        return actions.filter(({ command }) => command?.command === 'interns.sendProblem');
      } finally {
        registration.dispose();
      }
    };

    it('a quick fix adds a problem with the code around it to the chat', async () => {
      const [action] = await offered(true);
      const given = (action?.command?.arguments ?? []) as unknown[];
      const [problems]: CommandArguments<'interns.sendProblem'> =
        commands['interns.sendProblem'](given);
      await addCommands['interns.sendProblem'](ports, problems);
      assert.deepEqual(labels(), [`Problem at ${path()}:2`]);
      const place = `${path()}:2`;
      assert.ok(
        sent().startsWith(
          `> ${place}: warning test(E42): Bad return.\n> # Not a heading\n\n\`\`\`ts`,
        ),
        sent(),
      );
      assert.ok(sent().includes(lines.join('\n')));
    });

    it('the editor offers no quick fix for a problem without an account', async () => {
      assert.deepEqual(await offered(false), []);
    });

    it('the command adds the problem on the line of the cursor to the chat', async () => {
      select(await vscode.window.showTextDocument(file), [1, 0]);
      await addCommands['interns.sendProblem'](ports, []);
      assert.deepEqual(labels(), [`Problem at ${path()}:2`]);
    });

    it('the command adds no problem that has been fixed', async () => {
      diagnostics.clear();
      const problem = { document: file.toString(), line: 1 };
      await assert.rejects(addCommands['interns.sendProblem'](ports, [problem]), UserError);
    });
  });
});
