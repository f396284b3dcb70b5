import assert from 'node:assert/strict';
import {
  fileNameOf,
  toJson,
  toMarkdown,
  transcriptItem,
} from '../../../../src/features/conversations/exportConversation.ts';
import { itemLength } from '../../../../src/conversation/attachments.ts';
import { permissionCall } from '../../conversation/fakeExchange.ts';
import { Stage } from '../../conversation/conversationStage.ts';

async function talked(): Promise<Stage> {
  const stage = await Stage.paused('Water the plants', 'Which ones?');
  await stage.answering();
  await stage.last.open().say({ kind: 'text', text: 'Done.' }).finish().taken();
  stage.submit('And the cat');
  await stage.settle();
  await stage.last.open().say({ kind: 'text', text: 'Half' }).taken();
  stage.stop();
  return stage;
}

describe('an exported conversation', () => {
  it('the proposed name of the file is allowed on every system', () => {
    const names = { 'Why: a/b?': 'Why-a-b', '…': 'conversation', Con: 'conversation-Con' };
    for (const [title, name] of Object.entries(names))
      assert.equal(fileNameOf(Stage.asked(title).conversation), name);
  });

  it('the Markdown export shows who said what, with questions, answers and endings', async () => {
    const text = toMarkdown((await talked()).conversation, 'ada');
    assert.match(text, /^# Water the plants\n/);
    assert.match(text, /## You\n\nWater the plants\n/);
    assert.match(text, /## ada\n\nWhich ones\?/);
    assert.match(text, /> Allowed once\n\nDone\./);
    assert.match(text, /Half\n\n> Stopped\n/);
  });

  it('the Markdown export keeps messages apart if a prompt or reply ends in a code block', async () => {
    const stage = Stage.asked('Explain:\n```ts\nlet a');
    await stage.last.open().say({ kind: 'text', text: 'So:\n\n```ts\nlet b' }).taken();
    stage.stop();
    stage.submit('Go on');
    await stage.settle();
    const text = toMarkdown(stage.conversation, 'ada');
    assert.match(text, /let a\n```\n\n## ada\n/);
    assert.match(text, /let b\n```\n\n> Stopped\n\n## You\n/);
  });

  it('the Markdown export has no link that runs a command of the editor', async () => {
    const stage = Stage.asked('Where is the log?');
    const text = '[log](command:workbench.action.quit) <Command:a> `command: npm test`';
    await stage.last.open().say({ kind: 'text', text }).finish().taken();
    const exported = toMarkdown(stage.conversation, 'ada');
    assert.doesNotMatch(exported, /command:\S/i);
    assert.match(exported, /`command: npm test`/);
  });

  it('the JSON export holds all messages', async () => {
    const { conversation } = await talked();
    const exported = JSON.parse(toJson(conversation, 'ada')) as Record<string, unknown>;
    const { conversation: id, internName, session, messages } = exported;
    assert.deepEqual([id, internName, session], ['conversation-1', 'ada', 'session-1']);
    assert.equal((messages as unknown[]).length, conversation.transcript.messages.length);
  });
});

describe('an attached transcript', () => {
  /** Returns the transcript after these prompts and replies, up to the message at an index. */
  async function attached(turns: readonly (readonly [string, string])[], last?: number) {
    const stage = new Stage();
    for (const [prompt, reply] of turns) {
      stage.submit(prompt);
      await stage.settle();
      await stage.last.open().say({ kind: 'text', text: reply }).finish().taken();
    }
    const { messages } = stage.conversation.transcript;
    const id = last === undefined ? undefined : messages[last]?.id;
    return transcriptItem(stage.conversation, 'ada', id);
  }
  const long = (mark: string, count: number) => mark.repeat(count);
  const LEFT_OUT = '> The beginning of this conversation is left out.';

  for (const { title, turns, last, text } of [
    {
      title: 'has all messages in order',
      turns: [['Hi', 'Yes?']],
      text: '# Hi\n\n## You\n\nHi\n\n## ada\n\nYes?',
    },
    {
      title: 'ends with the message that the user selected',
      turns: [
        ['Hi', 'Yes?'],
        ['Go', 'Done'],
      ],
      last: 2,
      text: '# Hi\n\n## You\n\nHi\n\n## ada\n\nYes?\n\n## You\n\nGo',
    },
    {
      title: 'leaves out the oldest messages first',
      turns: [
        ['Hi', long('a', 20_000)],
        ['Go', long('b', 20_000)],
      ],
      text: `# Hi\n\n${LEFT_OUT}\n\n## You\n\nGo\n\n## ada\n\n${long('b', 20_000)}`,
    },
    {
      title: 'cuts the beginning of a message that alone is too long',
      turns: [['Hi', `${long('`', 9000)}${long('a', 30_000)} end`]],
      text: new RegExp(`^# Hi\\n\\n${LEFT_OUT}\\n\\n## ada\\n\\na{9000,} end$`),
    },
  ] as const)
    it(`an attached transcript ${title}`, async () => {
      const item = await attached(turns, last);
      assert.ok(itemLength(item) <= 28_000, String(itemLength(item)));
      if (typeof text === 'string') assert.equal(item.text, text);
      else assert.match(item.text, text);
    });

  it('an attached transcript has no reasoning and no values, but outcomes of questions', async () => {
    const stage = Stage.asked('Deploy');
    const fields = [{ name: 'dsn', type: 'string', required: true }];
    const question = { kind: 'elicitation', message: 'Which DSN?', fields };
    stage.last.open().say({ kind: 'reasoning', text: 'Secret thought' });
    stage.last.ask({ ...permissionCall('call-1'), arguments: JSON.stringify(question) });
    await stage.settle();
    const open = transcriptItem(stage.conversation, 'ada').text;
    assert.match(open, /> Which DSN\?\n> Waiting for you$/);
    await stage.answering({ kind: 'elicitation', action: 'accept', content: { dsn: 'a-value' } });
    await stage.finish();
    const { text } = transcriptItem(stage.conversation, 'ada');
    assert.match(text, /> Which DSN\?\n> Answered$/);
    assert.doesNotMatch(text, /thought|a-value/i);
  });
});
