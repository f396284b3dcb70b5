import * as v from 'valibot';
import { actionIds } from './view.ts';
import type { Change, CodeColours, MessageView, ScrollPlace, SnapshotView } from './view.ts';
import type { PageStrings } from './strings.ts';

/**
 * What host and page say to each other, each message once.
 *
 * The host owns the conversation and numbers its changes. A page says which number it has (`hello`), and the host
 * sends what came since, or the whole: so a page may be killed at any moment and costs nothing.
 */

/** Host to page. */
export interface HostMessages {
  /** The whole conversation as of `seq`, and the words of the page. */
  snapshot: {
    readonly seq: number;
    /** The host's clock, epoch ms: the page may be drawn on a machine with another one. */
    readonly now: number;
    readonly strings: PageStrings;
    readonly view: SnapshotView;
    /** What the page keeps with `setState`, so that VS Code hands it back when it restores the tab. */
    readonly keep: {
      readonly account: string;
      readonly intern: string;
      readonly conversation: string;
    };
  };
  /** What came since `seq - changes.length`; a page that has another number says `hello` again. */
  changes: { readonly seq: number; readonly changes: readonly Change[] };
  /** Answers `history` and `around`: messages from a place on; none where there is no such message. */
  history: { readonly from: number; readonly messages: readonly MessageView[] };
  /** Answers `find`: matches oldest first, at most 10,000; `ordinal` counts the matches inside one message. */
  found: { readonly query: string; readonly matches: readonly FoundMatch[] };
  /** Answers `complete`. */
  completions: { readonly request: number; readonly items: readonly CompletionItem[] };
  /** Answers `locate`: those of the paths that are files of the workspace. */
  located: { readonly paths: readonly string[]; readonly found: readonly string[] };
  /** The colours of code in the editor's theme; none for those that are left out. */
  codeColours: CodeColours;
  /** Puts text into the composer, in place of the draft or at its end, and focuses it. */
  compose: { readonly text: string; readonly where: 'replace' | 'append' };
  /** Moves the keyboard focus into the composer. */
  focusComposer: Record<string, never>;
  /** Opens the find box. */
  openFind: Record<string, never>;
  /** Scrolls to a message and marks it for a moment. */
  reveal: { readonly message: string };
  /** Answers `ping`: the host is alive, has all that the page posted before that, and its clock says `now`, epoch ms. */
  pong: { readonly at: number; readonly now: number };
}

export interface FoundMatch {
  readonly message: string;
  /** Index of the message in the whole conversation. */
  readonly index: number;
  readonly ordinal: number;
}

export interface CompletionItem {
  readonly id: string;
  /** File name. */
  readonly label: string;
  /** Folder, relative to the workspace. */
  readonly detail: string;
}

const id = v.pipe(v.string(), v.maxLength(512));
const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const historyCount = v.pipe(count, v.maxValue(500));

/** Page to host: a schema each, because a page shows hostile text and is not to be believed. */
export const pageSchemas = {
  /** The page is up; `have` is the last number it applied, null for none. */
  hello: v.object({ have: v.nullable(count) }),
  /** A prompt; queued by the host where a run is under way. Attachments are the host's own. */
  send: v.object({ text }),
  stop: v.object({}),
  setMode: v.object({ mode: v.picklist(['manual', 'self-drive']) }),
  /** An action offered by the host, on a message or question where it belongs to one. */
  act: v.object({ action: v.picklist(actionIds), target: v.optional(id) }),
  editQueued: v.object({ id, text }),
  removeQueued: v.object({ id }),
  draft: v.object({ text }),
  scrolled: v.object({
    place: v.nullable(v.object({ message: id, offset: v.number() })),
  }),
  /** Whether the page has the keyboard focus, and whether unsent text stands in the composer. */
  presence: v.object({ focused: v.boolean(), composing: v.boolean(), hasDraft: v.boolean() }),
  /** A key or a composition step in the page, at most four a second: no dialog may open under it. */
  typed: v.object({}),
  /** Messages by their place in the whole conversation. */
  history: v.object({ from: count, count: historyCount }),
  /** The messages around one whose place the page does not know. */
  around: v.object({ message: id, count: historyCount }),
  find: v.object({ query: v.pipe(v.string(), v.maxLength(1000)), matchCase: v.boolean() }),
  copy: v.object({ text }),
  /** Copies a whole message as Markdown, from the host's own record. */
  copyMessage: v.object({ id }),
  insertAtCursor: v.object({ code: text }),
  newFile: v.object({ code: text, language: v.pipe(v.string(), v.maxLength(64)) }),
  openDiff: v.object({ diff: text }),
  /** A link in a reply was followed; the host decides whether and how it opens. */
  openLink: v.object({ href: v.pipe(v.string(), v.maxLength(8192)) }),
  /** Paths in plain text, perhaps with a line each: which are files of the workspace? */
  locate: v.object({
    paths: v.pipe(v.array(v.pipe(v.string(), v.maxLength(260))), v.maxLength(100)),
  }),
  /** Files matching what follows `@` in the composer. */
  complete: v.object({ request: count, query: v.pipe(v.string(), v.maxLength(512)) }),
  attachCompletion: v.object({ id }),
  /** Opens the host's file picker. */
  pickAttachment: v.object({}),
  /** URIs dropped onto the page. */
  dropped: v.object({
    uris: v.pipe(v.array(v.pipe(v.string(), v.maxLength(8192))), v.maxLength(200)),
  }),
  removeAttachment: v.object({ id }),
  /** Asks for a sign of life, at a moment of the page's own clock in milliseconds. */
  ping: v.object({ at: count }),
  /** The page failed in a way it could not mend; goes to the log. No text of the conversation in it. */
  failed: v.object({ message: v.pipe(v.string(), v.maxLength(2000)) }),
} as const;

export type PageMessages = {
  readonly [K in keyof typeof pageSchemas]: v.InferOutput<(typeof pageSchemas)[K]>;
};

/** A message as it crosses the boundary. */
export type Envelope<M> = { [K in keyof M]: { readonly type: K; readonly body: M[K] } }[keyof M];
export type HostEnvelope = Envelope<HostMessages>;
export type PageEnvelope = Envelope<PageMessages>;

/** One handler a message; leaving one out does not compile. */
export type Handlers<M> = { readonly [K in keyof M]: (body: M[K]) => void };

/**
 * Reads a message of the page's. Returns undefined for anything that is not one, which the caller logs by its type
 * alone.
 */
export function parsePageMessage(data: unknown): PageEnvelope | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data) || !('body' in data))
    return undefined;
  const { type, body } = data;
  if (typeof type !== 'string' || !Object.hasOwn(pageSchemas, type)) return undefined;
  const schema = pageSchemas[type as keyof typeof pageSchemas];
  const result = v.safeParse(schema, body);
  return result.success ? ({ type, body: result.output } as PageEnvelope) : undefined;
}

/** Hands a message to its handler. */
export function dispatch<M>(handlers: Handlers<M>, envelope: Envelope<M>): void {
  const handler = handlers[envelope.type];
  handler(envelope.body);
}

export type { ScrollPlace };
