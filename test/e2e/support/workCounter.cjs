/**
 * Runs before the entry of the installed extension (backgroundWork.full.test.ts). Writes the extension's reads,
 * requests and running timers to the file that INTERNS_WORK_FILE names. Ignores other extensions in the same host,
 * whose calls don't have the extension's folder on the stack.
 */
{
  const fs = require('node:fs');
  const file = process.env.INTERNS_WORK_FILE;
  const account = { reads: [], requests: 0, timers: [] };
  const live = new Map();
  const { writeFileSync, renameSync } = fs;

  /** Returns whether the extension called the caller. The first frames are this function's and its caller's own. */
  const isOurs = () => new Error().stack.split('\n').slice(3).join().includes(__dirname);

  /** Writes the account. The file is renamed into place, so a reader never sees half of it. */
  const write = () => {
    account.timers = [...live.values()];
    writeFileSync(`${file}.new`, JSON.stringify(account));
    renameSync(`${file}.new`, file);
  };

  /** Calls `note` with the arguments of each call of a function by the extension. */
  const noted = (owner, name, note) => {
    const original = owner[name];
    owner[name] = function (...args) {
      if (isOurs()) {
        note(...args);
        write();
      }
      return original.apply(this, args);
    };
  };

  const isReading = (name) => /^(read|open|stat|lstat|access|exists|createReadStream)/.test(name);
  for (const module of [fs, fs.promises]) {
    for (const name of Object.keys(module).filter(isReading)) {
      if (typeof module[name] !== 'function') continue;
      noted(module, name, (path) => account.reads.push(String(path)));
    }
  }
  noted(globalThis, 'fetch', () => (account.requests += 1));

  for (const name of ['setTimeout', 'setInterval']) {
    const original = globalThis[name];
    globalThis[name] = (callback, ms, ...args) => {
      if (!isOurs()) return original(callback, ms, ...args);
      const run = (...given) => {
        if (name === 'setTimeout') live.delete(timer);
        callback(...given);
        write();
      };
      const timer = original(run, ms, ...args);
      live.set(timer, `${name} ${ms}`);
      write();
      return timer;
    };
  }
  for (const name of ['clearTimeout', 'clearInterval']) {
    const original = globalThis[name];
    globalThis[name] = (timer) => {
      original(timer);
      if (live.delete(timer)) write();
    };
  }
  write();
}
