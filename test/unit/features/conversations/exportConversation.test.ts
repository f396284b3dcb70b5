import assert from 'node:assert/strict';
import {
  fileNameOf,
  toJson,
  toMarkdown,
} from '../../../../src/features/conversations/exportConversation.ts';
import { Stage } from '../../conversation/conversationStage.ts';

async function talked(): Promise<Stage> {
  const stage = await Stage.paused('Water the plants', 'Which ones?');
  await stage.answering();
  stage.last.open().say({ kind: 'text', text: 'Done.' }).finish();
  await stage.settle();
  stage.submit('And the cat');
  stage.last.open().say({ kind: 'text', text: 'Half' });
  await stage.settle();
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

  it('the Markdown export has no link that runs a command of the editor', async () => {
    const stage = Stage.asked('Where is the log?');
    const text = '[log](command:workbench.action.quit) <Command:a> `command: npm test`';
    stage.last.open().say({ kind: 'text', text }).finish();
    await stage.settle();
    const exported = toMarkdown(stage.conversation, 'ada');
    assert.doesNotMatch(exported, /command:\S/i);
    assert.match(exported, /`command: npm test`/);
  });

  it('the JSON export holds all messages', async () => {
    const { conversation } = await talked();
    const exported = JSON.parse(toJson(conversation, 'ada')) as Record<string, unknown>;
    assert.equal(exported['conversation'], 'conversation-1');
    assert.equal(exported['internName'], 'ada');
    assert.equal(exported['session'], 'session-1');
    const messages = exported['messages'] as unknown[];
    assert.equal(messages.length, conversation.transcript.messages.length);
  });
});
