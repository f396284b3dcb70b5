import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ContextItem } from '../../../../src/conversation/attachments.ts';
import {
  type PromptContext,
  PromptContexts,
} from '../../../../src/features/context/promptContext.ts';
import type { EditedText, EditText } from '../../../../src/platform/dialogs/editText.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('PromptContext', () => {
  const stub = useStubs();
  let stored: readonly ContextItem[];
  let edits: (Parameters<EditText>[0] & { readonly end: (edited: EditedText) => void })[];
  let isShowing: boolean;
  let context: PromptContext;

  type Ports = ConstructorParameters<typeof PromptContexts>[0];
  const texts: Ports['texts'] = {
    editText: (given) =>
      isShowing
        ? new Promise((end) => void edits.push({ ...given, end }))
        : Promise.reject(new Error('Canceled')),
    show: () => Promise.resolve(true),
    unusedName: (name) => name,
  };

  beforeEach(() => {
    stored = [];
    edits = [];
    isShowing = true;
    const drafts: Ports['drafts'] = {
      get: () => ({ text: '', attached: [] }),
      set: (_conversation, { attached }) => (stored = attached),
    };
    context = new PromptContexts({ drafts, texts }).for('here');
  });

  afterEach(() => context.dispose());

  const storedTexts = () => stored.map(({ text }) => text);

  it('an attachment that is edited keeps its edits if the same file is attached again', async () => {
    context.add({ source: 'a.md', text: 'one' });
    const editing = context.edit(context.attachments[0]!.id);
    context.add({ source: 'a.md', text: 'two' });
    assert.deepEqual(storedTexts(), ['two']);
    assert.equal(edits[0]!.signal?.aborted, false);
    edits[0]!.end({ kind: 'used', text: 'edited' });
    assert.equal(await editing, true);
    assert.deepEqual(storedTexts(), ['edited']);
  });

  it('an attachment can be edited again after its tab could not be shown', async () => {
    context.add({ source: 'a.md', text: 'one' });
    const { id } = context.attachments[0]!;
    isShowing = false;
    await assert.rejects(context.edit(id), { message: 'Canceled' });
    isShowing = true;
    const editing = context.edit(id);
    edits[0]!.end({ kind: 'used', text: 'edited' });
    assert.equal(await editing, true);
  });

  it('the tab of an edited attachment closes with its deleted conversation, and not before', async () => {
    const drafts = {
      get: () => ({ text: '', attached: [{ source: 'a.md', text: 'one' }] }),
      set: () => assert.fail('the draft may be restored'),
    };
    const contexts = new PromptContexts({ drafts, texts });
    const deleted = contexts.for('deleted');
    const editing = deleted.edit(deleted.attachments[0]!.id);
    contexts.forget('other');
    assert.equal(edits[0]!.signal?.aborted, false);
    contexts.forget('deleted');
    assert.equal(edits[0]!.signal.aborted, true);
    edits[0]!.end({ kind: 'closed', text: 'typed' });
    assert.equal(await editing, false);
    contexts.dispose();
  });

  it('a screen reader can tell that the same file is attached again', () => {
    context.add({ source: 'a.md', text: 'one' });
    const [before] = context.attachments;
    context.add({ source: 'a.md', text: 'two' });
    assert.notEqual(context.attachments[0]!.id, before!.id);
  });

  it('many selected files are read a few at a time, and reported in one message', async () => {
    let reading = 0;
    let most = 0;
    const messages: string[] = [];
    stub(vscode.window, { showWarningMessage: (message: string) => messages.push(message) });
    stub(vscode.workspace, {
      textDocuments: [],
      getWorkspaceFolder: () => undefined,
      decode: () => Promise.resolve('x'.repeat(1_000)),
      fs: {
        isWritableFileSystem: () => true,
        stat: () => Promise.resolve({ type: vscode.FileType.File, size: 1_000 }),
        readFile: async () => {
          most = Math.max(most, ++reading);
          await new Promise((resolve) => setImmediate(resolve));
          reading -= 1;
          return new Uint8Array();
        },
      },
    });
    const uris = Array.from({ length: 200 }, (_, index) =>
      vscode.Uri.from({ scheme: 'file', path: `/${index}.txt` }),
    );
    await context.addFiles(uris);
    assert.equal(most, 16);
    assert.equal(storedTexts().length, 31);
    assert.equal(messages.length, 1);
    assert.match(messages[0]!, /^Couldn’t attach \/31\.txt.* 168 more items weren’t attached/);
  });
});
