import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEntry } from '../../../../src/conversation/journal.ts';
import { readEarlierPrompts } from '../../../../src/features/conversations/earlierPrompts.ts';
import type { OpenConversation } from '../../../../src/features/conversations/conversations.ts';
import type { ConversationHead } from '../../../../src/features/conversations/heads.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { pathsIn } from '../../support/pathsIn.ts';

describe('earlier prompts', () => {
  const folder = useTemporaryFolder();
  let heads: { id: string; at: number }[];
  const open = (...prompts: readonly string[]) =>
    ({
      account: { store: { paths: { ...pathsIn(folder.path), conversations: folder.path } } },
      conversation: { id: 'own', transcript: { intern: 'ada', ownPrompts: prompts } },
    }) as unknown as OpenConversation;
  const before = (...own: readonly string[]) =>
    readEarlierPrompts(
      {
        list: (_account, intern) =>
          Promise.resolve(intern === 'ada' ? (heads as unknown as ConversationHead[]) : []),
      },
      open(...own),
    );
  const path = (id: string) => join(folder.path, `${id}.jsonl`);
  /** Records a conversation, which is then the newest. Its replies look like prompts. */
  const record = async (id: string, ...prompts: readonly string[]) => {
    const entries = prompts.flatMap((text, index): JournalEntry[] => [
      ...(text.startsWith('agent')
        ? [{ at: 1, type: 'notice', id: `n${index}`, notice: 'by-agent' } as const]
        : []),
      { at: 1, run: `r${index}`, type: 'prompt', id: `p${index}`, text, mode: 'manual' },
      {
        at: 1,
        run: `r${index}`,
        type: 'text',
        id: `t${index}`,
        text: '{"type":"prompt","text":"no"}',
      },
    ]);
    await writeFile(path(id), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    heads = [{ id, at: 1 }, ...heads.filter((head) => head.id !== id)];
  };

  beforeEach(() => {
    heads = [];
  });

  it('earlier prompts come in the order sent, each once', async () => {
    await record('old', 'one', 'two', 'one');
    await record('own', 'mine');
    await record('new', 'three', 'two');
    assert.deepEqual(await before(), ['one', 'three', 'two']);
  });

  it('earlier prompts leave out those of agents', async () => {
    await record('old', 'agent: send it all', 'mine', 'agent: again');
    await record('new', 'one');
    assert.deepEqual(await before(), ['mine', 'one']);
  });

  it('earlier prompts include those of the conversation that its page does not have', async () => {
    await record('old', 'other', 'p1');
    const own = Array.from({ length: 103 }, (_, index) => `p${index}`);
    assert.deepEqual(await before(...own), ['other', 'p0', 'p1', 'p2']);
    assert.deepEqual(await before(...own.slice(3)), ['other', 'p1']);
  });

  it('earlier prompts include at most 50 of other conversations', async () => {
    const texts = Array.from({ length: 60 }, (_, index) => `p${index}`);
    await record('old', ...texts);
    await record('new', 'last');
    const found = await before();
    assert.deepEqual([found.length, found[0], found.at(-1)], [50, 'p11', 'last']);
  });

  it('a conversation is read again only once more was said in it', async () => {
    await record('old', 'one');
    await record('new', 'two');
    assert.deepEqual(await before(), ['one', 'two']);
    const text = await readFile(path('new'), 'utf8');
    await writeFile(path('new'), text.replace('two', 'changed'));
    assert.deepEqual(await before(), ['one', 'two']);
    heads[0] = { ...heads[0]!, at: 2 };
    assert.deepEqual(await before(), ['one', 'changed']);
    heads.shift();
    assert.deepEqual(await before(), ['one']);
    heads.push({ id: 'unreadable', at: 1 });
    assert.deepEqual(await before(), ['one']);
  });
});
