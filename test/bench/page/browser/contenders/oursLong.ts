/** The page of this extension with a long conversation. Its script runs when the conversation is opened. */
import { reply } from '../../../../webview/fixtures/views.ts';
import { BenchHost } from '../host.ts';
import { measureLong, until } from '../long.ts';

window.showLong = async (messages) => {
  // Loaded before the clock starts: an editor reads it from its own disk.
  const source = await (await fetch('/main.js')).text();
  const host = new BenchHost(messages);
  let started = false;
  return await measureLong({
    open: async () => {
      const script = document.createElement('script');
      script.textContent = source;
      document.body.append(script);
      await until(() => document.querySelector(`[data-id=m${messages - 1}]`) !== null);
    },
    scroller: () => document.querySelector<HTMLElement>('.scroller')!,
    write: (text) => {
      if (!started) host.change({ kind: 'add', message: reply('last', '', { state: 'working' }) });
      started = true;
      host.change({ kind: 'append', id: 'last', part: 0, text });
    },
  });
};
