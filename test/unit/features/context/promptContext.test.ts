import assert from 'node:assert/strict';
import type { ContextItem } from '../../../../src/conversation/attachments.ts';
import { FileCompletions } from '../../../../src/features/context/fileCompletions.ts';
import { PromptContext } from '../../../../src/features/context/promptContext.ts';
import type { EditedText, EditText } from '../../../../src/platform/dialogs/editText.ts';
import { FakeClock } from '../../support/fakeClock.ts';

describe('PromptContext', () => {
  let stored: readonly ContextItem[];
  let edits: (Parameters<EditText>[0] & { readonly end: (edited: EditedText) => void })[];
  let context: PromptContext;

  beforeEach(() => {
    stored = [];
    edits = [];
    context = new PromptContext({
      store: { load: () => [], save: (items) => (stored = items) },
      completions: new FileCompletions(new FakeClock()),
      draft: () => '',
      confirmSensitive: () => Promise.resolve(true),
      warn: (message) => assert.fail(message),
      texts: {
        editText: (given) => new Promise((end) => void edits.push({ ...given, end })),
        show: () => Promise.resolve(true),
        unusedName: (name) => name,
      },
    });
  });

  afterEach(() => context.dispose());

  const texts = () => stored.map(({ text }) => text);

  it('an attachment that is edited keeps its edits if the same file is attached again', async () => {
    context.add({ source: 'a.md', text: 'one' });
    const editing = context.edit(context.attachments[0]!.id);
    context.add({ source: 'a.md', text: 'two' });
    assert.deepEqual(texts(), ['two']);
    assert.equal(edits[0]!.signal?.aborted, false);
    edits[0]!.end({ kind: 'used', text: 'edited' });
    assert.equal(await editing, true);
    assert.deepEqual(texts(), ['edited']);
  });

  it('a screen reader can tell that the same file is attached again', () => {
    context.add({ source: 'a.md', text: 'one' });
    const [before] = context.attachments;
    context.add({ source: 'a.md', text: 'two' });
    assert.notEqual(context.attachments[0]!.id, before!.id);
  });
});
