import * as vscode from 'vscode';
import { ReplyActions } from '../../../src/features/editor/editorActions.ts';
import { LastTextEditor } from '../../../src/features/editor/lastTextEditor.ts';
import { RecordingLog } from '../../unit/support/recordingLog.ts';
import { useReplacements } from './replacements.ts';
import { useFolder, writeFile } from './workspace.ts';

/** The text of {@link useReplyStage}'s file. */
export const text = ['one', '  two', 'three', ''].join('\n');

/** Sets up the actions of a reply, and a file, anew for each test of a suite. */
export function useReplyStage(suite: string) {
  const folder = useFolder(suite);
  const replace = useReplacements();
  let files = 0;
  let lastEditor: LastTextEditor;

  const stage = {
    folder,
    /** A new one for each test, because VS Code remembers the selections of files. */
    file: folder,
    actions: undefined as unknown as ReplyActions,
    log: new RecordingLog(),
    /** The monotonic clock of the last text editor, in ms. */
    now: 0,
    /** The warnings that were shown, and the details of questions. */
    messages: [] as string[],
    /** The button that answers a question. */
    answer: undefined as string | undefined,
    /** The addresses that were opened in other programs. */
    opened: [] as string[],
    replace,
    start,
    stop,
    show: async (...ranges: readonly number[][]) => {
      const editor = await vscode.window.showTextDocument(stage.file);
      editor.selections = ranges.map(
        ([line = 0, from = 0, to = from]) => new vscode.Selection(line, from, line, to),
      );
      return editor;
    },
  };

  function start(): void {
    lastEditor = new LastTextEditor({ monotonic: () => stage.now });
    stage.actions = new ReplyActions(lastEditor, stage.log);
  }

  function stop(): void {
    stage.actions.dispose();
    lastEditor.dispose();
  }

  beforeEach(async () => {
    const file = await writeFile(folder, `src/my file ${++files}.ts`, text);
    const log = new RecordingLog();
    Object.assign(stage, { file, log, now: 0, messages: [], answer: undefined, opened: [] });
    start();
    replace(vscode.window, 'showWarningMessage', (message: string) => {
      stage.messages.push(message);
      return Promise.resolve(undefined);
    });
    const ask = (_: string, { detail }: vscode.MessageOptions) => {
      stage.messages.push(detail ?? '');
      return Promise.resolve(stage.answer);
    };
    replace(vscode.window, 'showInformationMessage', ask);
    replace(vscode.env, 'openExternal', (uri: vscode.Uri) => {
      stage.opened.push(uri.toString());
      return Promise.resolve(true);
    });
  });

  afterEach(async () => {
    stop();
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  return stage;
}

export const relative = (uri: vscode.Uri) => vscode.workspace.asRelativePath(uri);
export const activeInput = () => vscode.window.tabGroups.activeTabGroup.activeTab?.input;
export const activeFile = () => vscode.window.activeTextEditor?.document.uri.toString();
