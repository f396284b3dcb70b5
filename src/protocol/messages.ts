import * as v from 'valibot';
import { approvalModes } from '../base/approvalMode.ts';
import { MAX_LINK_CHARACTERS } from '../base/links.ts';
import {
  actionIds,
  type Change,
  type CodeColours,
  type MessageView,
  type SnapshotView,
} from './view.ts';
import type { PageStrings } from './strings.ts';

/**
 * What host and page say to each other, each message once.
 *
 * The host owns the conversation and numbers its changes. A page sends the number it has (`ready`), and the host
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
    readonly savedState: HostMessages['saveState'];
  };
  /** The state that the page keeps with `setState`. VS Code hands it back when it restores the tab. */
  saveState: {
    readonly account: string;
    readonly intern: string;
    readonly conversation: string;
    /** Tells where the record is; absent before there is one. */
    readonly record?: string | undefined;
  };
  /** What came since `seq - changes.length`; a page with another number sends `ready` again. */
  changes: { readonly seq: number; readonly changes: readonly Change[] };
  /** Answers `history` and `around`: messages from a place on; none where there is no such message. */
  history: { readonly from: number; readonly messages: readonly MessageView[] };
  /** Answers `find`: the messages that match, oldest first. */
  found: { readonly query: string; readonly found: readonly FoundMessage[] };
  /** Answers `complete`. */
  completions: { readonly request: number; readonly items: readonly CompletionItem[] };
  /** Answers `locate`: those of the paths that are files of the workspace. */
  located: { readonly paths: readonly string[]; readonly found: readonly string[] };
  /** The colours of code in the editor's theme; none for those that are left out. */
  codeColours: CodeColours;
  /** Puts text into the composer, in place of the draft, at its end, or in place of what was completed; and focuses it. */
  compose: { readonly text: string; readonly where: 'replace' | 'append' | 'completed' };
  /** Answers `recall`: older prompts of this conversation, and before them those of the intern's others; oldest first. */
  recalled: { readonly prompts: readonly string[] };
  /** Moves the keyboard focus into the composer. */
  focusComposer: Record<string, never>;
  /** Opens the find box. */
  openFind: Record<string, never>;
  /** Goes to a message and marks it for a moment; `words` are selected in it where they are found. */
  reveal: { readonly message: string; readonly words?: string };
  /** Moves the keyboard focus to the next message, prompt or block of code, or to the one before. */
  go: { readonly to: GoTarget; readonly step: -1 | 1 };
  /** Gives the keyboard focus back to what had it last. */
  returnFocus: Record<string, never>;
  /** Asks for `openReply` or `copyLink`, about the message that has the focus. */
  askFocused: { readonly about: 'openReply' | 'copyLink' };
  /** Another page takes this one's place: it tells what it has not told yet, then `left`, and nothing after that. */
  leave: Record<string, never>;
  /** Answers `ping`: the host is alive, has all that the page posted before that, and its clock says `now`, epoch ms. */
  pong: { readonly at: number; readonly now: number };
}

/** What commands move to in a conversation. */
export type GoTarget = 'message' | 'prompt' | 'codeBlock';

/** What is completed in the composer. */
export type CompletionKind = v.InferOutput<typeof completionKind>;

export interface FoundMessage {
  readonly message: string;
  /** Matches in it, as far as the host can tell from its Markdown; the page counts again what it draws. */
  readonly count: number;
}

export interface CompletionItem {
  readonly id: string;
  /** Name of the file. */
  readonly label: string;
  /** Its folder, relative to the workspace; what a prompt is for. */
  readonly detail: string;
  /** Whether it stands in place of what would be found, and says why. */
  readonly isNotice?: boolean;
}

const id = v.pipe(v.string(), v.maxLength(512));
const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const completionKind = v.picklist(['file', 'prompt']);
const historyCount = v.pipe(count, v.maxValue(500));

/** Page to host: a schema each, because a page shows hostile text and is not to be believed. */
const pageSchemas = {
  /** The page is up; `have` is the last number it applied, null for none. */
  ready: v.object({ lastSeq: v.nullable(count) }),
  /** A prompt; queued by the host where a run is under way. Attachments are the host's own. */
  send: v.object({ text }),
  stop: v.object({}),
  setMode: v.object({ mode: v.picklist(approvalModes) }),
  /** An action offered by the host, on a message or question where it belongs to one. */
  act: v.object({ action: v.picklist(actionIds), target: v.optional(id) }),
  editQueued: v.object({ id, text }),
  removeQueued: v.object({ id }),
  draft: v.object({ text }),
  scrolled: v.object({
    place: v.nullable(v.object({ message: id, offset: v.number() })),
  }),
  /** Whether the page is in sight and has the keyboard focus, and whether unsent text stands in the composer. */
  presence: v.object({
    inSight: v.boolean(),
    focused: v.boolean(),
    composing: v.boolean(),
    hasDraft: v.boolean(),
  }),
  /** A key or a composition step in the page, at most four a second: no dialog may open under it. */
  typed: v.object({}),
  /** Messages by their place in the whole conversation. */
  history: v.object({ from: count, count: historyCount }),
  /** The messages around one whose place the page does not know. */
  around: v.object({ message: id, count: historyCount }),
  find: v.object({ query: v.pipe(v.string(), v.maxLength(1000)), matchCase: v.boolean() }),
  copy: v.object({ text }),
  /** Copies the text of a table's cells as CSV. */
  copyTable: v.object({ rows: v.array(v.array(text)) }),
  /** Copies a whole message as Markdown, from the host's own record. */
  copyMessage: v.object({ id }),
  /** Copies a link to a message; null the last one. */
  copyLink: v.object({ from: v.nullable(id) }),
  /** Opens the reply in or after the message that has the focus as text; null the last reply. */
  openReply: v.object({ from: v.nullable(id) }),
  insertAtCursor: v.object({ code: text }),
  newFile: v.object({ code: text, language: v.pipe(v.string(), v.maxLength(64)) }),
  openDiff: v.object({ diff: text }),
  applyDiff: v.object({ diff: text }),
  /** A link in a reply was followed; the host decides whether and how it opens. */
  openLink: v.object({ href: v.pipe(v.string(), v.maxLength(MAX_LINK_CHARACTERS)) }),
  /** Paths in plain text, perhaps with a line each: which are files of the workspace? */
  locate: v.object({
    paths: v.pipe(v.array(v.pipe(v.string(), v.maxLength(260))), v.maxLength(100)),
  }),
  /** Files matching what follows `@` in the composer, or prompts matching what follows `/` at its beginning. */
  complete: v.object({
    request: count,
    kind: completionKind,
    query: v.pipe(v.string(), v.maxLength(512)),
  }),
  /** Attaches a file, or has the text of a prompt put in place of what was completed. */
  chooseCompletion: v.object({ kind: completionKind, id }),
  /** The prompts that the page has are all recalled: asks for those before them. */
  recall: v.object({}),
  /** Opens the host's file picker. */
  pickAttachment: v.object({}),
  /** URIs dropped onto the page. */
  dropped: v.object({
    uris: v.pipe(v.array(v.pipe(v.string(), v.maxLength(MAX_LINK_CHARACTERS))), v.maxLength(200)),
  }),
  removeAttachment: v.object({ id }),
  /** Asks for a sign of life, at a moment of the page's own clock in milliseconds. */
  ping: v.object({ at: count }),
  /** Answers `leave`. */
  left: v.object({}),
  /** The page failed in a way it could not mend; goes to the log. No text of the conversation in it. */
  failed: v.object({ message: v.pipe(v.string(), v.maxLength(2000)) }),
} as const;

export type PageMessages = {
  readonly [K in keyof typeof pageSchemas]: v.InferOutput<(typeof pageSchemas)[K]>;
};

/** A message as it crosses the boundary. */
export type AnyMessage<M> = { [K in keyof M]: { readonly type: K; readonly body: M[K] } }[keyof M];

/** One handler a message; leaving one out does not compile. */
export type Handlers<M> = { readonly [K in keyof M]: (body: M[K]) => void };

/**
 * Reads a message of the page's. Returns undefined for anything that is not one, which the caller logs by its type
 * alone.
 */
export function parsePageMessage(data: unknown): AnyMessage<PageMessages> | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data) || !('body' in data))
    return undefined;
  const { type, body } = data;
  if (typeof type !== 'string' || !Object.hasOwn(pageSchemas, type)) return undefined;
  const schema = pageSchemas[type as keyof typeof pageSchemas];
  const result = v.safeParse(schema, body);
  return result.success ? ({ type, body: result.output } as AnyMessage<PageMessages>) : undefined;
}

/** Hands a message to its handler. */
export function dispatch<M>(handlers: Handlers<M>, { type, body }: AnyMessage<M>): void {
  const handler = handlers[type];
  handler(body);
}
