import assert from 'node:assert/strict';
import { seen } from '../../harness/seen.ts';
import { until } from '../../harness/until.ts';
import type { ServedWindow, VSCodeWindow } from '../../harness/window.ts';
import type { Service } from '../../service/service.ts';
import { Chat, storeSecret } from '../../harness/chat.ts';

/** The steps of every user. Each asserts that it worked. */
export class MainStory {
  readonly window: VSCodeWindow;
  readonly service: Service;

  constructor({ window, service }: Pick<ServedWindow, 'window' | 'service'>) {
    this.window = window;
    this.service = service;
  }

  /** Signs in through the dialog, with a key as it may be pasted. */
  async signIn(): Promise<void> {
    const { quickInput } = this.window;
    await this.window.runCommand('Interns: Sign In…');
    await quickInput.fill('Sign In', this.service.url);
    await quickInput.fillMasked('"Bearer test-key-owner" ');
    await quickInput.waitForClosed();
    await this.window.showViews('Interns');
    await this.window.statusShows('Orchard');
  }

  /** Creates an intern and waits until it runs. */
  async create(name: string): Promise<void> {
    const { quickInput } = this.window;
    await this.window.runCommand('Interns: Create Intern…');
    await quickInput.fill('(1/4)', name);
    await quickInput.waitFor('(2/4)');
    await quickInput.accept();
    await quickInput.choose('(3/4)', 'No instructions');
    await quickInput.choose('(4/4)', 'Start provisioning now');
    await this.window.treeShows('Interns', name, 'Running');
    assert.ok(this.service.state.interns().some((intern) => intern.name === name));
  }

  /** Starts a conversation and reads a formatted reply. */
  async chat(): Promise<Chat> {
    const chat = await Chat.start(this.window);
    await chat.ask('markdown');
    await chat.frame.getByRole('table').first().waitFor();
    const copy = chat.button('Copy code').first();
    await copy.hover();
    await seen(copy);
    return chat;
  }

  /** Allows a permission; the reply continues in the same message. */
  async allow(chat: Chat): Promise<void> {
    const before = await chat.articles.count();
    await chat.send('ask permission');
    await this.window.quickInput.waitFor('run_shell');
    const rows = await this.window.quickInput.rows();
    assert.ok(
      rows.every(({ active }) => !active),
      'no row is active',
    );
    await this.window.quickInput.pick('Allow once');
    await chat.text('Allowed once').first().waitFor();
    await chat.idle();
    assert.equal(await chat.articles.count(), before + 2);
  }

  /** Answers a form with one field. */
  async answer(chat: Chat): Promise<void> {
    const { quickInput } = this.window;
    await chat.send('ask name');
    await seen(chat.button('Answer').last());
    await quickInput.fill(/name/, 'Ada Lovelace');
    await until('the review', async () =>
      (await quickInput.rows()).some(({ label }) => label === 'Accept'),
    );
    await quickInput.pick('Accept');
    await chat.frame.getByRole('cell', { name: 'string' }).waitFor();
    await chat.idle();
  }

  /** Stores a secret with two hosts. */
  async storeSecret(name: string): Promise<void> {
    await storeSecret(this.window, name, 'API.example.com., www.example.com');
    await this.window.treeShows('Vault Secrets', name);
    const stored = this.service.state.secrets('ws_orchard').find((secret) => secret.name === name);
    assert.deepEqual(stored?.hosts, ['api.example.com', 'www.example.com']);
  }

  /** Reloads the window while a question waits, and answers it then. */
  async reload(chat: Chat): Promise<Chat> {
    await chat.send('ask permission');
    await this.window.quickInput.waitFor('run_shell');
    await this.window.quickInput.close();
    await this.window.reload();
    const again = await Chat.shown(this.window);
    await seen(again.button('Answer').last());
    await this.window.runCommand('Interns: Answer Pending Question…');
    await this.window.quickInput.choose('run_shell', 'Reject once');
    await again.text('Rejected once').first().waitFor();
    await again.idle();
    return again;
  }
}
