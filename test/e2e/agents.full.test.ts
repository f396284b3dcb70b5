import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectFolder, temporaryFolder, type TemporaryFolder } from '../harness/paths.ts';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { openSignedIn, useClosing, type VSCodeWindow } from '../harness/window.ts';
import { Chat } from '../harness/chat.ts';

const entry = 'dist/extension.cjs';

describe('agent tools, in the installed VSIX', () => {
  const closing = useClosing();
  let window: VSCodeWindow;
  let folder: TemporaryFolder;

  before(async () => {
    folder = closing.use(await temporaryFolder());
    const [agent, code] = await Promise.all([
      readFile(new URL('support/agentHost.cjs', import.meta.url), 'utf8'),
      readFile(path.join(projectFolder, entry), 'utf8'),
    ]);
    ({ window } = closing.use(
      await openSignedIn({
        files: { [entry]: `${agent}\n${code}` },
        env: { INTERNS_AGENT_FILE: portFile() },
        interns: ['intern_ada', 'intern_bea'],
      }),
    ));
    await window.statusShows('Orchard');
  });

  const portFile = () => path.join(folder.path, 'port');

  /** Calls a tool as an agent. */
  async function call(name: string, input: object): Promise<unknown> {
    const port = await until('the agent', async () => {
      const text = await readFile(portFile(), 'utf8').catch(() => '');
      return text !== '' && text;
    });
    const body = JSON.stringify({ name, input });
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body });
    return response.json();
  }

  it('an agent gets the reply of an intern after the user confirms', async () => {
    const ask = { intern: 'ada', prompt: 'ask permission' };
    const reply = call('interns_ask', ask);
    const dialog = await window.modal();
    const shown = await dialog.innerText();
    for (const words of ['Ask an intern?', 'ada (intern_ada)', 'Orchard', 'Manual', ask.prompt])
      assert.ok(shown.includes(words), shown);
    await dialog.getByRole('button', { name: /^(Yes|OK)$/ }).click();

    await window.statusShows('1 question ·');
    assert.deepEqual(await window.tabs(), []);
    await window.runCommand('Interns: Answer Pending Question…');
    await window.quickInput.choose(/ada/, 'Allow once');
    const { text } = (await reply) as { text: string };
    assert.ok(text.length > 0);

    await window.runCommand('Interns: Open Chat…');
    await window.quickInput.pick('ada');
    const chat = await Chat.shown(window);
    await seen(chat.notice('An agent in VS Code wrote the next prompt.'));
    await seen(chat.lastReply);
  });
});
