import './styles/main.css';
import { Heartbeat, listen, openHost } from './connection.ts';
import { showCodeColours } from './highlight/colours.ts';
import { PageView } from './pageView.ts';

/**
 * The page of a chat panel. It says hello and is sent a snapshot; with the words in that it builds itself, and from
 * then on draws what the host sends. It owns nothing: see protocol/messages.ts.
 */
const root = document.getElementById('app');
if (root === null) throw new Error('the page has no #app to be built in');

const { post, keep } = openHost();
const alive = new AbortController();
let view: PageView | undefined;

const heartbeat = new Heartbeat(post, (isAlive) => view?.setHostAlive(isAlive));
const withView =
  <B>(use: (view: PageView, body: B) => void) =>
  (body: B): void => {
    heartbeat.heard();
    if (view !== undefined) use(view, body);
  };

listen(
  {
    snapshot: (snapshot) => {
      heartbeat.heard();
      keep(snapshot.keep);
      view ??= new PageView(root, post, snapshot.strings, alive.signal);
      view.applySnapshot(snapshot);
    },
    changes: withView((page, { seq, changes }) => page.applyChanges(seq, changes)),
    history: withView((page, { from, messages }) => page.addHistory(from, messages)),
    found: withView((page, { query, matches }) => page.find.show(query, matches)),
    completions: withView((page, body) => page.composer.setCompletions(body.request, body.items)),
    located: withView((page, body) => page.showLocated(body)),
    codeColours: (colours) => showCodeColours(colours),
    compose: withView((page, { text, where }) => page.composer.compose(text, where)),
    focusComposer: withView((page) => page.composer.focus()),
    openFind: withView((page) => page.find.open()),
    reveal: withView((page, { message }) => void page.transcript.reveal(message)),
    pong: withView((page, { at, now }) => page.heard(at, now)),
  },
  alive.signal,
);

window.addEventListener('error', ({ message }) =>
  post('failed', { message: message.slice(0, 2000) }),
);
window.addEventListener('unhandledrejection', ({ reason }) =>
  post('failed', { message: String(reason).slice(0, 2000) }),
);
post('hello', { have: null });
heartbeat.start(alive.signal);
