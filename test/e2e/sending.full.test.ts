import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '../harness/paths.ts';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { openSignedIn, useClosing, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { Chat } from '../harness/chat.ts';
import { entryAfter } from './support/bundles.ts';
import { recorded } from './support/records.ts';

/** True if Git is installed. */
const hasGit = spawnSync('git', ['--version']).status === 0;

describe('agents, changes and prompts for several interns, in the installed VSIX', () => {
  const closing = useClosing();
  let window: VSCodeWindow;
  let service: Service;
  let repository: TemporaryFolder;
  /** The file with the port of the agent. */
  let portFile: string;

  before(async () => {
    repository = closing.use(await temporaryFolder());
    if (hasGit) await fill(repository.path);
    const folder = closing.use(await temporaryFolder());
    portFile = path.join(folder.path, 'port');
    ({ window, service } = closing.use(
      await openSignedIn({
        folder: repository.path,
        interns: ['intern_ada', 'intern_bea'],
        files: await entryAfter('agentHost.cjs'),
        env: { INTERNS_AGENT_FILE: portFile },
      }),
    ));
    await window.statusShows('Orchard');
  });

  /** Calls a tool as an agent. */
  async function call(name: string, input: object): Promise<unknown> {
    const port = await until('the agent', async () => {
      const text = await readFile(portFile, 'utf8').catch(() => '');
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
    await window.runCommand('View: Close All Editors');
  });

  if (hasGit)
    it('the user adds staged Git changes and the first commit to a chat', async () => {
      for (const changes of ['Staged changes', 'Begin']) {
        await window.runCommand('Interns: Add Git Changes to Chat…');
        await window.quickInput.choose('Add Git Changes to Chat', changes);
        if (changes === 'Staged changes') await window.quickInput.pick('ada');
      }
      const chat = await Chat.shown(window);
      await seen(chat.frame.getByText('Staged changes'));
      await seen(chat.frame.getByText(/^Commit [0-9a-f]{8}$/));
      await chat.ask('echo Look');
      await until('the changes on record', async () => {
        const record = await recorded(window.server.profile, service);
        return ['rename from old.ts', 'Binary files', '+two', 'new file mode'].every((words) =>
          record.includes(words),
        );
      });
    });

  it('the user asks several interns the same prompt in conversations side by side', async () => {
    await window.runCommand('Interns: Ask Several Interns…');
    await window.quickInput.waitFor('Ask Several Interns');
    await window.quickInput.toggle('ada');
    await window.quickInput.toggle('bea');
    await window.quickInput.accept();
    await window.quickInput.fill(/2\/2/, 'echo Which is better?');
    for (const name of ['ada', 'bea']) {
      const chat = await Chat.shown(window, undefined, new RegExp(`${name}: echo Which`));
      await seen(chat.lastReply.getByText('Which is better?'));
    }
    assert.equal(await window.page.locator('.editor-group-container').count(), 2);
  });
});

/** Makes a repository with one commit, and stages a renamed, a changed and a binary file. */
async function fill(folder: string): Promise<void> {
  const git = (...args: readonly string[]): void => {
    const user = ['-c', 'user.name=Eve', '-c', 'user.email=eve@interns.test'];
    const { status, stderr } = spawnSync('git', ['-C', folder, ...user, ...args]);
    assert.equal(status, 0, String(stderr));
  };
  const file = (name: string) => path.join(folder, name);
  git('init', '--quiet');
  await writeFile(file('old.ts'), 'export const a = 1;\n'.repeat(9));
  await writeFile(file('changed.ts'), 'one\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
  await rename(file('old.ts'), file('new.ts'));
  await writeFile(file('changed.ts'), 'two\n');
  await writeFile(file('picture.bin'), Uint8Array.of(0, 1, 2, 255));
  git('add', '.');
}
