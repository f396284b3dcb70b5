import * as v from 'valibot';
import { APPROVAL_MODES } from '../base/approvalMode.ts';
import { isObject } from '../base/json.ts';
import { MAX_LINK_CHARACTERS } from '../base/links.ts';
import {
  ACTION_IDS,
  type Change,
  type CodeColors,
  type MessageView,
  type SnapshotView,
} from './view.ts';
import type { PageStrings } from './strings.ts';

/**
 * The messages between host and page.
 *
 * The host owns the conversation and numbers its changes. A page sends the number of its last change (`ready`), and the
 * host sends the changes since then, or the whole conversation. A page that is killed loses nothing.
 */

/** Host to page. */
export interface HostMessages {
  /** The conversation as of `seq`, and the strings of the page. */
  snapshot: {
    readonly seq: number;
    /** The host's clock, epoch ms. The page may run on another machine. */
    readonly now: number;
    readonly strings: PageStrings;
    readonly view: SnapshotView;
    readonly savedState: HostMessages['saveState'];
  };
  /** The state that the page saves with `setState`. VS Code returns it when it restores the tab. */
  saveState: {
    readonly account: string;
    readonly intern: string;
    readonly conversation: string;
    /** The hash of the record's path; absent before there is a record. */
    readonly record?: string | undefined;
  };
  /** The changes since `seq - changes.length`. A page with another number sends `ready` again. */
  changes: { readonly seq: number; readonly changes: readonly Change[] };
  /** The response to `history` and `around`: messages from an index on, or none if there is no such message. */
  history: { readonly from: number; readonly messages: readonly MessageView[] };
  /** The response to `find`: the messages that match, oldest first. */
  found: { readonly query: string; readonly found: readonly FoundMessage[] };
  /** The response to `complete`. */
  completions: { readonly request: number; readonly items: readonly CompletionItem[] };
  /** The response to `locate`: those of the paths that are files of the workspace. */
  located: { readonly paths: readonly string[]; readonly found: readonly string[] };
  codeColors: CodeColors;
  /** Puts text into the composer and focuses it: replaces the draft or the completed text, or appends. */
  compose: { readonly text: string; readonly where: 'replace' | 'append' | 'completed' };
  /** The response to `recall`: prompts of the intern's other conversations, then older ones of this one; oldest first. */
  recalled: { readonly prompts: readonly string[] };
  focusComposer: Record<string, never>;
  /** Sends the composer's prompt, else the first queued one, as with Stop and Send. */
  stopAndSend: Record<string, never>;
  openFind: Record<string, never>;
  /** Shows and highlights a message, and selects the text of `query` in it. */
  reveal: { readonly message: string; readonly query?: string };
  /** Moves the focus to the next or previous message, prompt or code block. */
  go: { readonly to: GoTarget; readonly step: -1 | 1 };
  /** Returns the focus to the element that had it last; after an answer from a card, to the composer. */
  returnFocus: { readonly wasAnswered?: true };
  /** Another page replaces this one, which sends its last messages and then `left`. */
  leave: Record<string, never>;
  /** The response to `ping`. `now` is the host's clock, epoch ms. */
  pong: { readonly at: number; readonly now: number };
}

export type GoTarget = 'message' | 'prompt' | 'codeBlock';

export type CompletionKind = v.InferOutput<typeof completionKind>;

export interface FoundMessage {
  readonly message: string;
  /** The number of matches in the Markdown; the page counts again in what it draws. */
  readonly count: number;
}

export interface CompletionItem {
  readonly id: string;
  /** The name of the file or prompt. */
  readonly label: string;
  /** The file's folder, relative to the workspace, or the prompt's description. */
  readonly detail: string;
  /** True if it only explains why nothing was found. */
  readonly isNotice?: boolean;
}

const id = v.pipe(v.string(), v.maxLength(512));
const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const completionKind = v.picklist(['file', 'prompt']);
const historyCount = v.pipe(count, v.maxValue(500));

/** A `ScrollPosition`. */
export const scrollPositionSchema = v.object({
  message: id,
  reasoning: v.optional(count),
  block: v.optional(count),
  offset: v.number(),
});

/** Page to host. Each has a schema, since a page shows hostile text. */
const pageSchemas = {
  /** The page is up; `lastSeq` is the last number it applied, null for none. */
  ready: v.object({ lastSeq: v.nullable(count) }),
  /** A prompt. The host adds the attachments, and queues it during a run or, with `stopsRun`, stops that first. */
  send: v.object({ text, stopsRun: v.optional(v.literal(true)) }),
  /** Stops the run, and sends a queued prompt. */
  stopAndSendQueued: v.object({ id }),
  setMode: v.object({ mode: v.picklist(APPROVAL_MODES) }),
  /** An action that the host offered, with its message or question if it has one. */
  act: v.object({ action: v.picklist(ACTION_IDS), target: v.optional(id) }),
  editQueued: v.object({ id, text }),
  /** The queued prompts whose boxes are open, whenever one opens or closes. */
  editingQueued: v.object({ ids: v.array(id) }),
  removeQueued: v.object({ id }),
  draft: v.object({ text }),
  scrolled: v.object({ position: v.nullable(scrollPositionSchema) }),
  /** Reports whether the page is in use, at each change. While its user types, at most four times a second. */
  presence: v.object({
    visible: v.boolean(),
    focused: v.boolean(),
    /** An input method is composing. */
    composing: v.boolean(),
    /** The reason for the report is a key or a composition step. No dialog may open while the user types. */
    typed: v.boolean(),
    /** The message with the focus. */
    message: v.nullable(id),
  }),
  /** Asks for messages by their index in the conversation. */
  history: v.object({ from: count, count: historyCount }),
  /** Asks for the messages around one whose index the page does not know. */
  around: v.object({ message: id, count: historyCount }),
  find: v.object({ query: v.pipe(v.string(), v.maxLength(1000)), matchCase: v.boolean() }),
  copy: v.object({ text }),
  /** Copies the text of a table's cells as CSV. */
  copyTable: v.object({ rows: v.array(v.array(text)) }),
  /** Copies a message as Markdown, from the host's record. */
  copyMessage: v.object({ id }),
  copyLink: v.object({ id }),
  insertAtCursor: v.object({ code: text }),
  newFile: v.object({ code: text, language: v.pipe(v.string(), v.maxLength(64)) }),
  openDiff: v.object({ diff: text }),
  applyDiff: v.object({ diff: text }),
  /** A clicked link of a reply. The host decides how it opens. */
  openLink: v.object({ href: v.pipe(v.string(), v.maxLength(MAX_LINK_CHARACTERS)) }),
  /** Asks which paths, perhaps with line numbers, are files of the workspace. */
  locate: v.object({
    paths: v.pipe(v.array(v.pipe(v.string(), v.maxLength(260))), v.maxLength(100)),
  }),
  /** Asks for files matching the text after `@`, or prompts matching the text after a leading `/`. */
  complete: v.object({
    request: count,
    kind: completionKind,
    query: v.pipe(v.string(), v.maxLength(512)),
  }),
  /** Attaches a file, or asks for the text of a prompt. */
  chooseCompletion: v.object({ kind: completionKind, id }),
  /** Asks for prompts older than those of the page. */
  recall: v.object({}),
  pickAttachment: v.object({}),
  dropped: v.object({
    uris: v.pipe(v.array(v.pipe(v.string(), v.maxLength(MAX_LINK_CHARACTERS))), v.maxLength(200)),
  }),
  removeAttachment: v.object({ id }),
  /** Opens an attachment's text in an editor. */
  editAttachment: v.object({ id }),
  /** Checks that the host is alive. `at` is the page's clock, in ms. */
  ping: v.object({ at: count }),
  /** The response to `leave`: the page has sent its last messages. */
  left: v.object({}),
  /** A failure of the page for the log, without text of the conversation. */
  failed: v.object({ message: v.pipe(v.string(), v.maxLength(2000)) }),
} as const;

export type PageMessages = {
  readonly [K in keyof typeof pageSchemas]: v.InferOutput<(typeof pageSchemas)[K]>;
};

/** A message as it is posted. */
export type AnyMessage<M> = { [K in keyof M]: { readonly type: K; readonly body: M[K] } }[keyof M];

export type Handlers<M> = { readonly [K in keyof M]: (body: M[K]) => unknown };

/** Reads a message of the page; undefined if it is not valid. */
export function parsePageMessage(data: unknown): AnyMessage<PageMessages> | undefined {
  if (!isObject(data)) return undefined;
  const { type, body } = data;
  if (typeof type !== 'string' || !Object.hasOwn(pageSchemas, type)) return undefined;
  const schema = pageSchemas[type as keyof typeof pageSchemas];
  const result = v.safeParse(schema, body);
  return result.success ? ({ type, body: result.output } as AnyMessage<PageMessages>) : undefined;
}

/** Calls the handler of a message. Returns its result, which may be a promise. */
export function dispatch<M>(handlers: Handlers<M>, { type, body }: AnyMessage<M>): unknown {
  return handlers[type](body);
}
