/**
 * Takes the pictures of the walkthrough and of the README from the running extension, in dark and in light:
 *
 *     npm run pictures
 *
 * They go to media/walkthrough, which is in the VSIX, and to media/readme, which is not.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { asksPermission } from '../service/scripts/questions.ts';
import { say } from '../service/scripts/text.ts';
import type { Brain } from '../service/service.ts';
import { closeSharedBrowser } from './browser.ts';
import { Chat, storeSecret } from './chat.ts';
import type { Settings } from './codeServer.ts';
import { packageExtension } from './npm.ts';
import { toPalette } from './palettePng.ts';
import { projectFolder, temporaryFolder } from './paths.ts';
import { exitOnSignals } from './processes.ts';
import { until } from './until.ts';
import { releases } from './versions.ts';
import { openServed, openSignedIn, openVSCode, type VSCodeWindow } from './window.ts';
import { seedHeads, seedIntern } from './seedIntern.ts';

interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const inputBox: Part = { x: 320, y: 0, width: 640, height: 140 };
const quickPick: Part = { x: 320, y: 0, width: 640, height: 272 };
const chatTab: Part = { x: 348, y: 36, width: 932, height: 732 };
const sideBar: Part = { x: 48, y: 36, width: 300, height: 520 };
const minuteMs = 60_000;
const listView: Part = { x: 48, y: 36, width: 460, height: 232 };
const promptList: Part = { x: 372, y: 560, width: 640, height: 200 };
const viewHeight = 160;
const modal: Part = { x: 318, y: 306, width: 644, height: 188 };

const prompts = ['Why does save.test.ts fail now and then?', 'Fix it.'] as const;

const reply = [
  'It waits for a *time*, and sometimes that is too short. This waits for the event:',
  '',
  '```ts',
  'const saved = once(store, "saved");',
  'await user.click("Save");',
  'assert.deepEqual(await saved, [{ id: 7 }]);',
  '```',
  '',
  '- With it, `save.test.ts` passed 500 times in a row.',
  '- Its two `sleep(200)` can go, which makes the suite 3 s faster.',
].join('\n');

const apiKey = 'test-key-owner';
const longTask = 'Port the importer to the new API';

/** Works on {@link longTask} until the window closes. */
function* work(): ReturnType<Brain> {
  for (;;) {
    yield { do: 'say', text: 'Next file. ' };
    yield { do: 'wait', ms: 500 };
  }
}

/** The listed conversations: title, state, age in minutes, and whether it is unread. */
const conversations = [
  ['Which region for the backups?', 'waiting', 1],
  ['Release notes for 2.4', 'failed', 12],
  ['Find the slow query', 'idle', 25],
  ['Update the licenses', 'idle', 40],
  ['Clean up the feature flags', 'idle', 200],
  ['Explain the retry policy', 'idle', 3_000],
] as const;

/** Prompt files of the workspace: name and description. */
const promptFiles = {
  'fix-flaky': 'Finds out why a test fails now and then',
  release: 'Writes the notes of a release',
  review: 'Reviews a file with care',
} as const;

const brain: Brain = (turn) =>
  turn.prompt === longTask
    ? work()
    : turn.prompt.includes(prompts[0])
      ? say(reply)
      : asksPermission('run_shell')(turn, []);

/** The stock themes, by the end of the names of their pictures. */
const themes = { dark: releases.newest.darkTheme, light: 'Light Modern' } as const;

type Take = (window: VSCodeWindow, name: string, part?: Part | Locator) => Promise<void>;

exitOnSignals();
await packageExtension();
for (const [ending, theme] of Object.entries(themes)) {
  const take: Take = (window, name, part) => takePicture(window, `${name}-${ending}.png`, part);
  const settings = { 'workbench.colorTheme': theme };
  await signInPicture(take, settings);
  await otherPictures(take, settings);
  await listPictures(take, settings);
}
await closeSharedBrowser();

async function takePicture(
  window: VSCodeWindow,
  file: string,
  part?: Part | Locator,
): Promise<void> {
  const clip = part === undefined ? {} : { clip: await partOf(part) };
  // Nothing has a hover there.
  await window.page.mouse.move(900, 560);
  const png = await window.page.screenshot({ animations: 'disabled', caret: 'hide', ...clip });
  const target = path.join(projectFolder, 'media', file);
  const smaller = await toPalette(window.page, png);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, smaller);
  console.log(`media/${file}: ${(smaller.length / 1024).toFixed(1)} KB`);
}

/** Leaves out the empty end of a view. */
async function partOf(part: Part | Locator): Promise<Part> {
  if (!('boundingBox' in part)) return part;
  const box = await part.boundingBox();
  if (box === null) throw new Error('The part is not on screen.');
  return { ...box, height: Math.min(box.height, viewHeight) };
}

async function signInPicture(take: Take, settings: Settings): Promise<void> {
  await using window = await openVSCode({ settings });
  await window.showViews('Interns');
  await window.runCommand('Interns: Sign In…');
  await window.quickInput.fill('Sign In', 'https://interns.example.com/api/v1');
  await until('the key box', () => window.quickInput.isPassword());
  await window.quickInput.type('an-example-of-a-key');
  await take(window, 'walkthrough/sign-in', inputBox);
}

async function otherPictures(take: Take, settings: Settings): Promise<void> {
  const interns = ['intern_ada', 'intern_carl', 'intern_dora', 'intern_emil', 'intern_fay'];
  await using parent = await temporaryFolder();
  const folder = path.join(parent.path, 'orchard');
  await writePromptFiles(path.join(folder, '.github', 'prompts'));
  await using opened = await openSignedIn({
    ...{ folder, interns, settings },
    service: { chunkMs: 0, brain },
  });
  const { window } = opened;
  await window.showViews('Interns');
  await until('the interns', async () => (await window.treeRows('Interns')).length === 5);
  const view = window.view('Interns');
  await view.locator('.monaco-progress-container.active').waitFor({ state: 'hidden' });
  await take(window, 'walkthrough/interns', view);
  await window.runCommand('Interns: New Conversation…');
  await window.quickInput.pick('ada');
  const chat = await Chat.shown(window, ({ composer }) => composer.isVisible());
  await chat.ask(prompts[0]);
  await chat.frame.locator('.code-block [class^="hljs-"]').first().waitFor();
  await take(window, 'walkthrough/chat', chatTab);
  await take(window, 'readme/chat');
  await chat.send(prompts[1]);
  await until('the question', async () => (await window.quickInput.rows()).length === 7);
  await take(window, 'walkthrough/question', quickPick);
  await window.quickInput.pick('Allow once');
  await chat.idle();
  await chat.frame.getByRole('combobox', { name: 'Approval mode' }).selectOption('self-drive');
  await window.modal();
  await take(window, 'readme/limits', modal);
  await window.page.keyboard.press('Escape');
  await chat.composer.press('/');
  await chat.frame.getByRole('option').nth(2).waitFor();
  await take(window, 'readme/prompts', promptList);
  await window.page.keyboard.press('Backspace');
  await storeSecret(window, 'tracker_token', 'tracker.example.com');
  await storeSecret(window, 'registry_key', 'registry.example.com, mirror.example.com');
  await until('the secrets', async () => (await window.treeRows('Vault Secrets')).length === 2);
  await take(window, 'walkthrough/secret', window.view('Vault Secrets'));
  await window.runCommand('Interns: Move Chat to Side Bar');
  await until('the chat in the side bar alone', async () => (await window.tabs()).length === 0);
  const moved = await Chat.shown(window);
  await moved.frame.locator('[data-colored]').first().waitFor();
  await take(window, 'readme/side-bar', sideBar);
}

/** Takes pictures of the list of conversations, and of its filter for what happened in the last half hour. */
async function listPictures(take: Take, settings: Settings): Promise<void> {
  const interns = ['intern_ada', 'intern_bea', 'intern_carl'];
  const now = Date.now();
  await using opened = await openServed({ settings, service: { brain } }, (service) => ({
    env: { INTERNS_BASE_URL: service.url, INTERNS_API_KEY: apiKey },
    prepare: async (profile) => {
      const signIn = { baseUrl: service.url, apiKey };
      for (const intern of service.state.interns())
        if (interns.includes(intern.id)) await seedIntern(profile, signIn, intern);
      const heads = conversations.map(([title, state, minutes], index) => {
        const at = now - minutes * minuteMs;
        const intern = interns[index % interns.length] ?? '';
        return { id: `c${index}`, intern, title, createdAt: at, at, state };
      });
      const folder = await seedHeads(profile, signIn, heads);
      // All from the last half hour is unread, and the user has been away since then.
      const at = now - 30 * minuteMs;
      await writeFile(path.join(folder, '~-.read'), JSON.stringify({ conversation: '', at }));
      const storage = path.join(profile, 'User', 'globalStorage', 'intern-service.interns');
      const presence = path.join(storage, 'presence');
      await mkdir(presence, { recursive: true });
      await writeFile(path.join(presence, 'user.json'), JSON.stringify({ id: 'user', at }));
    },
  }));
  const { window } = opened;
  await window.showViews('Interns');
  await window.runCommand('Interns: New Conversation…');
  await window.quickInput.pick('ada');
  const chat = await Chat.shown(window, ({ composer }) => composer.isVisible());
  await chat.send(longTask);
  await window.treeShows('Conversations', longTask, 'running');
  const { mouse } = window.page;
  await mouse.move(sideBar.x + sideBar.width, 700);
  await mouse.down();
  await mouse.move(listView.x + listView.width, 700, { steps: 5 });
  await mouse.up();
  await take(window, 'readme/conversations', listView);
  await window.runCommand('Interns: Show Activity Summary');
  const summary = () => window.treeRows('Activity Summary (3)');
  await until('the summary', async () => (await summary()).length === 3);
  await take(window, 'readme/away', listView);
}

async function writePromptFiles(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, description] of Object.entries(promptFiles)) {
    const text = `---\ndescription: ${description}\n---\n${description}.\n`;
    await writeFile(path.join(folder, `${name}.prompt.md`), text);
  }
}
