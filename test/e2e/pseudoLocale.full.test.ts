import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { getL10nPseudoLocalized, type l10nJsonFormat } from '@vscode/l10n-dev';
import manifest from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../harness/paths.ts';
import { manifestStrings, sourceStrings } from '../harness/strings.ts';
import { until } from '../harness/until.ts';
import { openServed, useClosing, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { plainWords } from './support/plainWords.ts';

/** Names, texts of the service and the user, and dates, which `Intl` does not translate into this language. */
const exempt = [
  ...[/intern_\w+/g, /chatcmpl-\w+/g, 'Interns', 'ada', 'grace', 'run_shell', 'Orchard'],
  ...[/ws_\w+/g, 'demo_token'],
  ...[/https?:\/\/\S+/g, /\b\w+\.example\.com\b/g, /“[^”]*”/g],
  ...['monthly', 'global', 'org_orchard', 'user_olive', '(in 12 months)', /^command:.*/g],
  ...['scripted/intern-1', 'markdown', 'src/index.ts', 'src/clock.ts', 'lovelace.intern'],
  ...['A guide', /steady.*/g],
  /(?<=, )(?:typescript|python|json|diff|css)/g,
  /[A-Z][a-z]{2} \d{1,2}, \d{4}(?:, \d{1,2}:\d{2}\s[AP]M)?/g,
];

/** An intern file with an invalid name. */
const internFile = 'lovelace.intern.json';

/** A language whose letters all have marks, so that untranslated strings stand out. */
interface PseudoLocale {
  readonly locale: string;
  /** Texts of the translators' files, by path in the extension. */
  readonly files: Readonly<Record<string, string>>;
  /** Returns the translation of an English string, with `{0}`… filled in. */
  of(english: string, ...args: readonly string[]): string;
}

describe('the installed VSIX in a pseudo-language', () => {
  const closing = useClosing();
  let pseudo: PseudoLocale;
  let service: Service;
  let window: VSCodeWindow;
  let chat: Frame;

  before(async function () {
    // Parsing all sources takes minutes on a busy machine.
    this.timeout(300_000);
    pseudo = await pseudoLocale();
    const folder = closing.use(await temporaryFolder());
    await writeFile(path.join(folder.path, internFile), '{ "name": "Ada Lovelace" }');
    ({ window, service } = closing.use(
      await openServed({
        service: { provisioningMs: 300, keepaliveMs: 500 },
        locale: pseudo.locale,
        files: pseudo.files,
        folder: folder.path,
      }),
    ));
  });

  /** Fails if the screen shows an untranslated string. */
  async function noEnglish(screen: string, also: readonly (string | RegExp)[] = []): Promise<void> {
    await window.screenshot(`pseudo-${screen}`);
    assert.deepEqual(await plainWords(window, [...exempt, ...also]), [], screen);
  }

  async function run(command: string): Promise<void> {
    await window.runCommand(`Interns: ${pseudo.of(command)}`);
  }

  /** Waits for a step of a dialog, and checks its screen. */
  async function step(title: string, number: string, screen?: string): Promise<void> {
    await window.quickInput.waitFor(`${pseudo.of(title)} (${number})`);
    if (screen !== undefined) await noEnglish(screen);
  }

  async function idle(): Promise<void> {
    const stop = chat.getByRole('button', { name: pseudo.of('Stop'), exact: true });
    await until('the run to end', async () => (await stop.count()) === 0);
  }

  async function prompt(text: string): Promise<void> {
    const composer = chat.locator('textarea');
    await composer.fill(text);
    await composer.press('Enter');
  }

  it('the pseudo-language translates the signed-out view and the commands', async () => {
    await window.showViews(pseudo.of('Interns'));
    await window.view(pseudo.of('Interns')).getByText(pseudo.of('Sign In')).first().waitFor();
    await noEnglish('signed-out');
    await window.page.keyboard.press('F1');
    await until('the palette', () => window.quickInput.isOpen());
    await window.quickInput.type('>Interns:');
    // At first, the palette still shows all commands.
    const rows = await until('our commands', async () => {
      const found = await window.quickInput.rows();
      return found.length > 2 && found.every(({ label }) => label.includes('Interns')) && found;
    });
    await window.screenshot('pseudo-commands');
    // VS Code also shows the original title.
    const left = rows.filter(({ label }) => /[A-Za-z]{3,}/.test(label.replace('Interns', '')));
    assert.deepEqual(
      left.map(({ label }) => label),
      [],
    );
    await window.quickInput.escape();
  });

  it('the pseudo-language translates the sign-in dialog', async () => {
    await run('Sign In…');
    await window.quickInput.waitFor(pseudo.of('Sign In'));
    await window.quickInput.type('ftp://interns.example.com');
    await until('the refusal', async () => /[^ -~]/.test(await window.quickInput.message()));
    await noEnglish('sign-in-root');
    await window.quickInput.enter(service.url);
    await window.quickInput.fillMasked('test-key-nobody');
    await window.quickInput.waitForMessage(pseudo.of('Unknown API key'));
    await noEnglish('sign-in-refused');
    await window.quickInput.enter('test-key-owner');
    await window.quickInput.waitForClosed();
    await until('the empty views', async () =>
      (await window.view(pseudo.of('Interns')).innerText()).includes(pseudo.of('Create Intern')),
    );
    await noEnglish('signed-in');
  });

  it('the pseudo-language translates the dialogs that create and add an intern', async () => {
    const { quickInput } = window;
    await run('Create Intern…');
    await step('Create Intern', '1/4');
    await quickInput.type('Grace');
    await noEnglish('create-name');
    await window.quickInput.enter('grace');
    await step('Create Intern', '2/4', 'create-description');
    await quickInput.accept();
    await step('Create Intern', '3/4', 'create-instructions');
    await quickInput.pick(pseudo.of('No instructions'));
    await step('Create Intern', '4/4', 'create-provisioning');
    await quickInput.pick(pseudo.of('Start provisioning now'));
    await window.treeShows(pseudo.of('Interns'), 'grace');
    await run('Add Intern by ID…');
    await quickInput.waitFor(/./);
    await noEnglish('add-intern');
    await window.quickInput.enter('intern_ada');
    await window.treeShows(pseudo.of('Interns'), 'intern_ada');
    await noEnglish('interns');
  });

  it('the pseudo-language translates the chat, a reply and a failure', async () => {
    await run('New Conversation…');
    await window.quickInput.waitFor(/./);
    await noEnglish('choose-intern');
    await window.quickInput.pick('intern_ada');
    chat = await window.webview();
    await chat.locator('textarea').waitFor();
    await noEnglish('chat-empty');
    await prompt('markdown');
    await chat.getByRole('table').first().waitFor();
    await idle();
    await noEnglish('chat-reply');
    await prompt('think');
    await idle();
    await prompt('fail in stream turn_failed');
    await chat.getByRole('button', { name: pseudo.of('Retry'), exact: true }).waitFor();
    await noEnglish('chat-failure');
    await prompt('slow 30');
    await chat.getByRole('button', { name: pseudo.of('Stop'), exact: true }).click();
    await idle();
    await noEnglish('chat-stopped');
  });

  it('the pseudo-language translates the dialogs of a permission and a form', async () => {
    const { quickInput } = window;
    await prompt('ask permission');
    await quickInput.waitFor('run_shell');
    await noEnglish('permission');
    await quickInput.pick(pseudo.of('Allow once'));
    await idle();
    await noEnglish('permission-answered');
    await prompt('ask name');
    await quickInput.waitFor(/name/);
    await noEnglish('field', ['What is your name?', 'name']);
    await window.quickInput.enter('Lovelace');
    await until('the review', async () =>
      (await quickInput.rows()).some(({ label }) => label === pseudo.of('Accept')),
    );
    await noEnglish('review', ['What is your name?', 'name', 'Lovelace']);
    await quickInput.pick(pseudo.of('Decline'));
    await idle();
  });

  it('the pseudo-language translates the dialog that stores a secret', async () => {
    const { quickInput } = window;
    await run('Set Vault Secret…');
    await step('Set Vault Secret', '1/4', 'secret-name');
    await window.quickInput.enter('demo_token');
    await step('Set Vault Secret', '2/4');
    await quickInput.type('https://api.example.com');
    await noEnglish('secret-hosts');
    await window.quickInput.enter('api.example.com');
    await step('Set Vault Secret', '3/4', 'secret-source');
    await quickInput.pick(pseudo.of('Type the value'));
    await step('Set Vault Secret', '4/4', 'secret-value');
    await window.quickInput.enter('placeholder-value');
    await window.treeShows(pseudo.of('Vault Secrets'), 'demo_token');
    await noEnglish('secrets');
  });

  it('the pseudo-language translates the button of an intern file', async () => {
    await window.page.keyboard.press('Control+P');
    await until('Go to File', () => window.quickInput.isOpen());
    await window.quickInput.type(internFile);
    await until('the file', async () => (await window.quickInput.rows())[0]?.label === internFile);
    await window.quickInput.accept();
    const create = pseudo.of('Create Intern from This File');
    await window.page.getByRole('button', { name: create }).waitFor();
    await noEnglish('intern-file');
    await window.runCommand('View: Close Editor');
  });

  it('the pseudo-language translates the walkthrough', async () => {
    await window.runCommand('Welcome: Open Walkthrough...');
    await window.quickInput.pick(pseudo.of('Work with Interns'));
    const steps = window.page.locator('.gettingStartedDetailsContent .getting-started-step');
    await steps.first().waitFor();
    const count = await steps.count();
    assert.equal(count, manifest.contributes.walkthroughs[0]?.steps.length);
    // Pictures need a wide window.
    await window.runCommand('View: Toggle Primary Side Bar Visibility');
    for (let index = 0; index < count; index++) {
      await steps.nth(index).click();
      await until('its picture', async () => {
        const picture = window.page.locator('.getting-started-media img:visible');
        return (await picture.count()) > 0 && (await picture.first().getAttribute('alt')) !== '';
      });
      // VS Code adds the keys of a step's command.
      const keys = ['Tip: Use keyboard shortcut', 'Ctrl', 'Shift'];
      await noEnglish(`walkthrough-${index}`, keys);
    }
    await window.runCommand('View: Toggle Primary Side Bar Visibility');
    await window.runCommand('View: Close Editor');
  });

  it('the pseudo-language translates the key information and the sign-out', async () => {
    await run('Show API Key Information');
    // The page is replaced when the service has responded.
    await until('the key page', async () => {
      const page = await window.webview(pseudo.of('API Key'));
      return (await page.getByRole('heading').count()) > 2;
    });
    await noEnglish('key-info');
    await run('Sign Out…');
    await until('the choice', async () => (await window.quickInput.rows()).length === 2);
    await noEnglish('sign-out');
  });
});

/** Translates all strings in src and package.nls.json. */
async function pseudoLocale(): Promise<PseudoLocale> {
  const locale = 'qps-ploc';
  const bundle = getL10nPseudoLocalized(await sourceStrings());
  const manifestWords = await manifestStrings();
  const manifestBundle = getL10nPseudoLocalized(manifestWords);
  const known = new Map<string, string>();
  for (const [key, english] of Object.entries(manifestWords))
    known.set(english, textOf(manifestBundle[key]));
  for (const [english, pseudo] of Object.entries(bundle)) known.set(english, textOf(pseudo));
  return {
    locale,
    files: {
      [`l10n/bundle.l10n.${locale}.json`]: JSON.stringify(bundle),
      [`package.nls.${locale}.json`]: JSON.stringify(manifestBundle),
    },
    of: (english, ...args) => {
      const pseudo = known.get(english);
      if (pseudo === undefined) throw new Error(`No string of ours reads “${english}”.`);
      return pseudo.replaceAll(/\{(\d)\}/g, (_, index: string) => args[Number(index)] ?? '');
    },
  };
}

function textOf(words: l10nJsonFormat[string] | undefined): string {
  if (words === undefined) return '';
  return typeof words === 'string' ? words : words.message;
}
