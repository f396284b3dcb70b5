import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { Chat } from '../harness/chat.ts';
import { killNewestHost } from '../harness/hostProcesses.ts';
import { samples } from '../harness/testSet.ts';
import { keepersOf } from '../harness/keepers.ts';
import { runQuietly } from '../harness/processes.ts';
import { until } from '../harness/until.ts';
import { openSignedIn, reinstall, useClosing, type VSCodeWindow } from '../harness/window.ts';
import { scriptedBrain } from '../service/scripts/prompts.ts';
import type { Brain, Exchange, Service } from '../service/service.ts';
import { keptResponses, recorded } from './support/records.ts';

/** The time limit of one interruption, in ms, on a busy machine. */
const INTERRUPTION_MS = 120_000;
const interruptions = samples(50, 4);

/** A reply takes two seconds. */
const WORDS = 200;
const reply = Array.from({ length: WORDS }, (_, index) => `w${index} `).join('');

const countingBrain: Brain = (turn) =>
  turn.prompt.startsWith('count') ? count(turn.prompt === 'count on') : scriptedBrain(turn);

function* count(isEndless: boolean): ReturnType<Brain> {
  do {
    for (const word of reply.match(/\S+ /g) ?? []) {
      yield { do: 'say', text: word };
      yield { do: 'wait', ms: 10 };
    }
  } while (isEndless);
  return undefined;
}

describe('runs that outlive their window, in the installed VSIX', () => {
  const closing = useClosing();
  const chats: Exchange[] = [];
  let window: VSCodeWindow;
  let service: Service;
  let chat: Chat;

  before(async () => {
    ({ window, service } = closing.use(
      await openSignedIn({
        service: {
          keepaliveMs: 500,
          turnsPerMinute: 10_000,
          brain: countingBrain,
          observer: {
            onRequest: (exchange) => {
              if (exchange.method === 'POST') chats.push(exchange);
            },
          },
        },
      }),
    ));
    chat = await Chat.start(window);
    await chat.ask('echo the first word');
    // Else VS Code may not have stored the tab when the window closes.
    await window.reload();
    await newPage();
  });

  /** The chat requests that the service did not refuse. */
  const accepted = () => chats.filter(({ status }) => status === 200);

  async function newPage(): Promise<void> {
    chat = await Chat.shown(window, async ({ frame, composer }) => {
      return frame !== chat.frame && (await composer.isVisible());
    });
  }

  async function startReply(prompt = 'count'): Promise<void> {
    await chat.send(prompt);
    await chat.streaming();
  }

  /** Waits for the end of the last run, and expects its whole reply once: on record, on screen, and in one response. */
  async function expectWholeReply(requests: number): Promise<void> {
    await until('the reply on record', async () => (await lastRun()).ended);
    assert.equal((await lastRun()).text, reply);
    await until('the reply on screen', async () =>
      (await chat.lastReply.innerText()).includes('w199'),
    );
    const shown = await chat.lastReply.innerText();
    assert.equal(shown.split('w42 ').length, 2, 'the reply is shown once');
    assert.ok(!/Interrupted|failed/.test(shown), shown);
    assert.equal(accepted().length, requests, 'one request');
    assert.equal(accepted().at(-1)?.outcome, 'complete');
  }

  /** Returns what the record holds of the last run. */
  async function lastRun(): Promise<{
    readonly text: string;
    readonly ended: boolean;
    /** When the last of it arrived, epoch ms. */
    readonly at: number;
  }> {
    const lines = (await recorded(window.server.profile, service)).split('\n').slice(0, -1);
    const entries = lines.map(
      (line) => JSON.parse(line) as { type: string; at: number; run?: string; text?: string },
    );
    const run = entries.findLast(({ type }) => type === 'prompt')?.run;
    const own = entries.filter((entry) => entry.run === run);
    const said = own.filter(({ type }) => type === 'text').map(({ text = '' }) => text);
    const ended = own.some(({ type }) => type === 'end');
    return { text: said.join(''), ended, at: own.at(-1)?.at ?? 0 };
  }

  /** Returns the variables of the running keeper, and the path of its script. */
  async function keeperOf(): Promise<{ readonly variables: string; readonly script: string }> {
    const [keeper] = await keepersOf(window.server);
    assert.ok(keeper !== undefined, 'a keeper runs');
    const [cmdline = '', variables = ''] = await Promise.all(
      ['cmdline', 'environ'].map((name) => readFile(`/proc/${keeper}/${name}`, 'utf8')),
    );
    const [script] = /\/[^\0]*streamKeeper\.cjs/.exec(cmdline) ?? assert.fail(cmdline);
    return { variables, script };
  }

  it('a reply continues while the window is closed', async () => {
    const before = accepted().length;
    await startReply();
    const url = window.page.url();
    await window.page.goto('about:blank');
    // The end arrives a little after the service has sent it.
    await until('the end of the response on disk', async () => {
      const kept = await keptResponses(window.server.profile, service);
      return kept.includes('"outcome":"complete"') || (await lastRun()).ended;
    });
    const reopenedAt = Date.now();
    await window.page.goto(url);
    await newPage();
    await expectWholeReply(before + 1);
    assert.ok((await lastRun()).at < reopenedAt, 'the times are those of the arrival');
  });

  it('a reply continues when the extension is installed again', async () => {
    const before = accepted().length;
    await startReply();
    await reinstall();
    await window.reload();
    await newPage();
    await expectWholeReply(before + 1);
  });

  it('no key or value is in a file, nor with a prompt in the arguments or variables of a keeper', async () => {
    await chat.send('ask name');
    await window.quickInput.fill(/name/, 'CANARY-VALUE');
    await until('the review', async () =>
      (await window.quickInput.rows()).some(({ label }) => label === 'Accept'),
    );
    await window.quickInput.pick('Accept');
    await chat.idle();
    await startReply('count on');
    const { variables, script } = await keeperOf();
    for (const text of [variables, script])
      for (const secret of ['test-key-owner', 'CANARY', 'count', 'INTERNS_API_KEY', 'w1 '])
        assert.ok(!text.includes(secret), secret);
    const { profile } = window.server;
    const all = await readdir(profile, { recursive: true, withFileTypes: true });
    const files = all.filter((each) => each.isFile());
    assert.ok(files.some(({ name }) => name.endsWith('.response')));
    for (const { parentPath, name } of files) {
      // A file may be gone by now.
      const text = await readFile(path.join(parentPath, name), 'latin1').catch(() => '');
      assert.doesNotMatch(text, /test-key-owner|CANARY/, path.join(parentPath, name));
    }
    await chat.stop.click();
    await chat.idle();
  });

  it('no keeper runs after the extension was uninstalled', async () => {
    await chat.send('slow 60');
    await chat.streaming();
    const { script } = await keeperOf();
    // VS Code does this after an uninstallation.
    await runQuietly(process.execPath, [path.join(path.dirname(script), 'uninstall.cjs')]);
    await until('no keeper', async () => (await keepersOf(window.server)).length === 0);
    await chat.idle();
    assert.equal(chats.at(-1)?.outcome, 'cut');
  });

  it('a reply counts as interrupted if its keeper is killed, and the next one gets another', async () => {
    await chat.send('slow 60');
    await chat.streaming();
    for (const keeper of await keepersOf(window.server)) process.kill(keeper, 'SIGKILL');
    await chat.idle();
    await chat.button('Retry').last().waitFor();
    const before = accepted().length;
    await startReply();
    await expectWholeReply(before + 1);
  });

  it(`${interruptions} reloads and kills in mid-stream lose and repeat nothing of a reply`, async () => {
    const waits = fc.array(fc.nat(1_500), { minLength: interruptions, maxLength: interruptions });
    const interruptOften = async (all: readonly number[]) => {
      for (const [index, afterMs] of all.entries()) {
        const before = accepted().length;
        await startReply();
        await delay(afterMs);
        // VS Code does not restart a host that died three times in a window.
        if (index % 2 === 1) await killNewestHost(window.server);
        else await window.reload();
        await newPage();
        await expectWholeReply(before + 1);
      }
    };
    await fc.assert(fc.asyncProperty(waits, interruptOften), { numRuns: 1, endOnFailure: true });
  }).timeout(interruptions * INTERRUPTION_MS);

  it('no keeper stays behind when the window is closed and no run is left', async () => {
    await chat.idle();
    await window.page.goto('about:blank');
    await until(
      'the end of all keepers',
      async () => (await keepersOf(window.server)).length === 0,
    );
  });
});
