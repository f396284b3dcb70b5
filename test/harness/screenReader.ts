import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from './paths.ts';
import { firstProgram, runQuietly, startProcess } from './processes.ts';
import { until } from './until.ts';

/** Programs that {@link startScreenReader} needs, and their Debian packages. */
const programs = {
  orca: 'orca',
  Xvfb: 'xvfb',
  openbox: 'openbox',
  xdotool: 'xdotool',
  'dbus-daemon': 'dbus',
  chromium: 'chromium',
} as const;

const accessibilityBus = '/usr/libexec/at-spi-bus-launcher';

/**
 * Orca runs this at its start. Its log would otherwise lag behind what it speaks by some kilobytes. And in some runs,
 * Chromium gives it the tree of a webview before the tree around it. Orca then takes the webview for another tab, whose live
 * regions it leaves out by default. On a busy machine, it gets the second of two equal keys late.
 */
const customization = `from orca import debug, settings
debug.debugFile.reconfigure(line_buffering=True)
settings.presentLiveRegionFromInactiveTab = True
settings.doubleClickTimeout = 60
`;

/** The time between two keys, in milliseconds: Orca decides about each one. */
const keyDelayMs = 30;

/** How long it may take to say what has the focus, in milliseconds, before it is asked again. */
const focusMs = 3_000;

/** Returns the Debian packages that are missing. */
export function missingPackages(): readonly string[] {
  const missing: string[] = Object.entries(programs)
    .filter(([name]) => firstProgram([name]) === undefined)
    .map(([, debianPackage]) => debianPackage);
  return existsSync(accessibilityBus) ? missing : [...missing, 'at-spi2-core'];
}

/** Orca on a display, a session bus and an accessibility bus of its own, and the keyboard of that display. */
export class ScreenReader implements AsyncDisposable {
  /** Environment of the programs that it reads. */
  readonly env: Readonly<Record<string, string>>;
  readonly #log: string;
  readonly #pid: number;
  readonly #started: AsyncDisposableStack;
  /** The number of texts up to the last one that was awaited. */
  #heard = 0;

  private constructor(
    env: Readonly<Record<string, string>>,
    orca: { readonly log: string; readonly pid: number },
    started: AsyncDisposableStack,
  ) {
    this.env = env;
    this.#log = orca.log;
    this.#pid = orca.pid;
    this.#started = started;
  }

  static async start(): Promise<ScreenReader> {
    await using started = new AsyncDisposableStack();
    const folder = started.use(await temporaryFolder());
    const home = path.join(folder.path, 'home');
    const customizations = path.join(home, '.local', 'share', 'orca');
    await mkdir(customizations, { recursive: true });
    await writeFile(path.join(customizations, 'orca-customizations.py'), customization);
    const env: Record<string, string> = { XDG_RUNTIME_DIR: folder.path };
    const start = async (name: string, args: readonly string[], ready: RegExp) => {
      // A speech server would outlive Orca, which logs what it speaks without one.
      const own = { HOME: home, SPEECHD_CMD: path.join(home, 'none') };
      return started.use(await startProcess(name, args, { ready, env: { ...env, ...own } }));
    };
    const screen = ['-screen', '0', '1440x900x24', '-nolisten', 'tcp', '-displayfd', '1'];
    env['DISPLAY'] = `:${(await start('Xvfb', screen, /^\d+$/m)).ready[0]}`;
    await start('openbox', ['--startup', 'echo ready'], /^ready$/m);
    const bus = ['--session', '--nofork', '--print-address', `--address=unix:dir=${folder.path}`];
    const daemon = await start('dbus-daemon', bus, /^unix:\S+$/m);
    env['DBUS_SESSION_BUS_ADDRESS'] = daemon.ready[0];
    const log = path.join(folder.path, 'orca.log');
    const orca = await start('orca', [`--debug-file=${log}`], /^/);
    const reader = new ScreenReader(env, { log, pid: orca.pid }, started.move());
    try {
      await reader.hears('Screen reader on.');
      return reader;
    } catch (error) {
      await reader[Symbol.asyncDispose]();
      throw new Error(orca.output(), { cause: error });
    }
  }

  /** Everything that it has spoken. */
  async spoken(): Promise<readonly string[]> {
    return spokenIn(await this.#readLog());
  }

  /**
   * Waits until it has spoken these texts, or others around them, in this order.
   * @returns all that it spoke since the last text that was awaited
   */
  async hears(...expected: readonly (string | RegExp)[]): Promise<readonly string[]> {
    return await this.#hears(expected);
  }

  /**
   * Leaves the focused control and returns to it, until it says these texts. It is often silent about the focus of a
   * dialog that opens over a webview.
   * @returns what it spoke of the control, up to the last of these texts
   */
  async hearsFocus(...expected: readonly (string | RegExp)[]): Promise<readonly string[]> {
    let heard: readonly string[] = [];
    await until(`the focus: ${expected.join(', then ')}`, async () => {
      await this.press('Tab');
      this.#heard = (await this.spoken()).length;
      await this.press('shift+Tab');
      heard = await this.#hears(expected, focusMs);
      return true;
    });
    return heard;
  }

  async #hears(
    expected: readonly (string | RegExp)[],
    timeoutMs?: number,
  ): Promise<readonly string[]> {
    const said = async () => (await this.spoken()).slice(this.#heard);
    try {
      const isSaid = async () => inOrder(await said(), expected);
      const count = await until(expected.join(', then '), isSaid, timeoutMs);
      const heard = (await said()).slice(0, count);
      this.#heard += count;
      return heard;
    } catch (error) {
      const inserted = insertedTexts(await this.#readLog())
        .slice(-20)
        .join('\n');
      const message = `It said instead: ${(await said()).join(' | ')}\nIt got:\n${inserted}`;
      throw new Error(message, { cause: error });
    }
  }

  /** Presses keys one after the other, such as `shift+alt+Prior`. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.#use('key', ...keys);
  }

  async type(text: string): Promise<void> {
    await this.#use('type', text);
  }

  /** Stops Orca while a task runs, as if it were busy with something else. */
  async whileBusy(task: () => Promise<void>): Promise<void> {
    process.kill(this.#pid, 'SIGSTOP');
    try {
      await task();
    } finally {
      process.kill(this.#pid, 'SIGCONT');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started.disposeAsync();
  }

  async #readLog(): Promise<string> {
    return await readFile(this.#log, 'utf8').catch(() => '');
  }

  async #use(command: 'key' | 'type', ...args: readonly string[]): Promise<void> {
    const delay = ['--delay', String(keyDelayMs)];
    await runQuietly('xdotool', [command, ...delay, ...args], { env: this.env });
  }
}

/** Returns the number of texts up to the last expected one; undefined if one is missing. */
function inOrder(
  said: readonly string[],
  expected: readonly (string | RegExp)[],
): number | undefined {
  let count = 0;
  for (const text of expected) {
    const matches = (each: string) =>
      typeof text === 'string' ? each.includes(text) : text.test(each);
    const index = said.slice(count).findIndex(matches);
    if (index === -1) return undefined;
    count += index + 1;
  }
  return count;
}

/** Returns the lines of Orca's log about texts that appeared, without countdowns, and about events that Orca left out. */
function insertedTexts(log: string): string[] {
  const relevant = /text-changed:insert for|duplicate message|DELUGE|events pruned/;
  const isCountdown = (line: string) => / \d+:\d\d\)$/.test(line);
  return log.split('\n').filter((line) => relevant.test(line) && !isCountdown(line));
}

/** Returns the texts that Orca's log says were spoken. Their voice follows them, and lines of a text are indented. */
function spokenIn(log: string): string[] {
  const speech = /SPEECH OUTPUT: '(.*?) ?'(?: voice=\w+)? ?(?:[[{].*)?$/gm;
  return [...log.replaceAll(/\n {18}/g, ' ').matchAll(speech)].map(([, text = '']) => text);
}
