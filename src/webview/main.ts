import './styles/main.css';
import type { Handlers, HostMessages } from '../protocol/messages.ts';
import { Heartbeat, openHost } from './connection.ts';
import { showCodeColours } from './highlight/colours.ts';
import { PageView } from './pageView.ts';

/**
 * The page of a chat panel. It says hello and is sent a snapshot; with the words in that it builds itself, and from
 * then on draws what the host sends. It owns nothing: see protocol/messages.ts.
 */
const root = document.getElementById('app');
if (root === null) throw new Error('the page has no #app to be built in');

const { post, keep, silence } = openHost();
const alive = new AbortController();
let view: PageView | undefined;

const heartbeat = new Heartbeat(post, (isAlive) => view?.setHostAlive(isAlive));
const withView =
  <B>(use: (view: PageView, body: B) => void) =>
  (body: B): void => {
    if (view !== undefined) use(view, body);
  };

const handlers: Handlers<HostMessages> = {
  snapshot: (snapshot) => {
    keep(snapshot.keep);
    view ??= new PageView(root, post, snapshot.strings, alive.signal);
    view.applySnapshot(snapshot);
  },
  keep,
  changes: withView((page, { seq, changes }) => page.applyChanges(seq, changes)),
  history: withView((page, { from, messages }) => page.addHistory(from, messages)),
  found: withView((page, { query, found }) => page.find.show(query, found)),
  completions: withView((page, body) => page.composer.completion.show(body.request, body.items)),
  located: withView((page, body) => page.showLocated(body)),
  codeColours: (colours) => showCodeColours(colours),
  compose: withView((page, { text, where }) => page.composer.compose(text, where)),
  recalled: withView((page, { prompts }) => page.composer.recall.addEarlier(prompts)),
  focusComposer: withView((page) => page.composer.focus()),
  openFind: withView((page) => page.openFind()),
  reveal: withView((page, { message, words }) => void page.find.reveal(message, words ?? '')),
  go: withView((page, { to, step }) => page.navigation.go(to, step)),
  returnFocus: withView((page) => page.returnFocus()),
  askFocused: withView((page, { about }) => page.postFocused(about)),
  leave: () => {
    root.inert = true;
    view?.flush();
    post('left', {});
    silence();
  },
  pong: withView((page, { at, now }) => page.handlePong(at, now)),
};

// Only the window around the page can send it messages, and VS Code lets only the extension through.
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const { type, body } = (data ?? {}) as { readonly type?: unknown; readonly body?: never };
  if (typeof type !== 'string' || !Object.hasOwn(handlers, type)) return;
  heartbeat.recordMessage();
  handlers[type as keyof HostMessages](body as never);
});
window.addEventListener('error', ({ message }) =>
  post('failed', { message: message.slice(0, 2000) }),
);
window.addEventListener('unhandledrejection', ({ reason }) =>
  post('failed', { message: String(reason).slice(0, 2000) }),
);
post('hello', { have: null });
heartbeat.start(alive.signal);
