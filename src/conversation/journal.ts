import * as v from 'valibot';
import { APPROVAL_MODES } from '../base/approvalMode.ts';
import { parseJson } from '../base/json.ts';
import { CLOSE_REASONS, AUTO_ANSWER } from './questions/types.ts';
import { WHEN_UNANSWERED } from './questions/unanswered.ts';

/**
 * The record of one conversation: entries in a JSONL file, folded by transcript.ts. Disk, page and other windows follow
 * them. An entry contains no secret: the entry of an answer to an elicitation has the action, never a value.
 */

export const LISTED_AS = ['plain', 'pinned', 'archived'] as const;
export type ListedAs = (typeof LISTED_AS)[number];

/** When self-drive ends: at a time (epoch ms), with the next prompt, or not by itself. */
export type SelfDriveLimit = number | 'this-prompt' | null;

const id = v.string();
const nullableText = v.nullable(v.string());
const mode = v.picklist(APPROVAL_MODES);
/** Absent if a user gave the answer. */
const by = v.optional(v.literal(AUTO_ANSWER));

const failure = v.object({
  /** An `ApiErrorKind`. */
  kind: v.string(),
  /** HTTP status, 0 without one. */
  status: v.number(),
  reason: v.optional(v.string()),
  /** The service's own sentence, or empty. */
  message: v.string(),
  /** True if the response had begun. */
  inStream: v.boolean(),
  /** The platform's error code, such as `ECONNRESET`. */
  code: v.optional(v.string()),
  retryAfterMs: v.optional(v.number()),
});

const usage = v.object({
  promptTokens: v.number(),
  completionTokens: v.number(),
  totalTokens: v.number(),
  cachedTokens: v.optional(v.number()),
  /** USD. */
  cost: v.optional(v.number()),
});

const attachment = v.object({ label: v.string(), size: v.number() });

const entries = {
  /** First line of every record. `version` is absent in records of version 1, `workspace` in those before 0.3.0. */
  opened: v.object({
    intern: id,
    mode,
    version: v.optional(v.number()),
    /** The URI of the workspace's folder or file. */
    workspace: v.optional(v.string()),
  }),
  renamed: v.object({ title: v.string() }),
  listed: v.object({ as: v.picklist(LISTED_AS) }),
  /**
   * The chosen approval mode. A `limit` means self-drive until a time (epoch ms) or for the next prompt; `mode` is then
   * manual, for windows of a version without limits.
   */
  mode: v.object({ mode, limit: v.optional(v.union([v.number(), v.literal('this-prompt')])) }),
  /** The user agreed to self-drive in this conversation. */
  consented: v.object({}),
  /** The cost limit of the conversation; null removes it. */
  'cost-limit': v.object({ usd: v.nullable(v.number()) }),
  /** The policy for unanswered questions. */
  unanswered: v.object({ then: v.picklist(WHEN_UNANSWERED) }),
  /** A run's prompt: `text` as typed; `sent` as the service got it, if attachments were added. */
  prompt: v.object({
    run: id,
    text: v.string(),
    sent: v.optional(v.string()),
    attachments: v.optional(v.array(attachment)),
    mode,
    session: v.optional(id),
  }),
  /**
   * A request of a run, on record before it is sent. `response` is the ID of its response, which a stream keeper may
   * keep in a file.
   */
  requested: v.object({ run: id, response: id }),
  /** The service refused the last request of a run, which is to be repeated. Unknown to versions before 0.3.0. */
  'request-refused': v.object({ run: id, failure }),
  /** The window made the last request itself, so its run ends with the window. */
  'in-window': v.object({ run: id }),
  /** Self-drive expired before the service accepted the prompt of a run. The prompt is sent in manual mode. */
  lapsed: v.object({ run: id }),
  text: v.object({ run: id, text: v.string() }),
  reasoning: v.object({ run: id, text: v.string() }),
  /** A pending interaction (interface: Stream chunk, tool call entry). */
  asked: v.object({
    run: id,
    question: id,
    /** `index` is absent in records of earlier versions. */
    call: v.object({ index: v.optional(v.number()), id, name: v.string(), arguments: v.string() }),
  }),
  /** An answer is about to be sent. `how` is the permission option, or `accept`, `decline`, `cancel`. */
  answering: v.object({ question: id, how: v.string(), by }),
  /** The service accepted the answer. */
  answered: v.object({ question: id, how: v.string(), by }),
  /** The answer failed; the question is open again. `isLost`: one of its attempts may have been received. */
  refused: v.object({ question: id, failure, isLost: v.optional(v.literal(true)) }),
  /** The question is over without an answer that is known to count. */
  closed: v.object({ question: id, why: v.picklist(CLOSE_REASONS) }),
  /** The user reported to the intern that an answer was automatic. */
  told: v.object({ question: id }),
  /** The finish chunk of a response. */
  finished: v.object({
    run: id,
    reason: v.picklist(['stop', 'tool_calls', 'error']),
    failure: v.optional(failure),
  }),
  /** The final chunk. A null session never erases a known one. */
  end: v.object({
    run: id,
    session: nullableText,
    model: nullableText,
    usage: v.nullable(usage),
    /** The service's ID of the response. */
    completion: v.optional(v.string()),
  }),
  failed: v.object({ run: id, failure }),
  /** A window that does not read the run's stream asked the one that does to stop the run. */
  stopping: v.object({ run: id }),
  /** The user stopped the run. */
  stopped: v.object({ run: id }),
  /** The run was interrupted: nothing reads its stream anymore, and its end is unknown. */
  cut: v.object({ run: id }),
  /** A line between messages. `by-agent` precedes a prompt that an agent of the editor wrote. */
  notice: v.object({
    notice: v.picklist(['new-session', 'edited', 'unreadable-call', 'by-agent']),
  }),
} as const;

type EntryType = keyof typeof entries;

interface Stamp {
  /** A line that is read twice counts once. */
  readonly id: string;
  /** Epoch ms. */
  readonly at: number;
  /** The number of events of the last response that are on record with this entry. */
  readonly events?: number | undefined;
}

/** An entry without its stamp. */
export type EntryBody = {
  [K in EntryType]: { readonly type: K } & Readonly<v.InferOutput<(typeof entries)[K]>>;
}[EntryType];

export type JournalEntry = EntryBody & Stamp;

export type EntryOf<T extends EntryType> = Extract<JournalEntry, { type: T }>;

export type StoredFailure = v.InferOutput<typeof failure>;
export type StoredUsage = v.InferOutput<typeof usage>;
export type StoredAttachment = v.InferOutput<typeof attachment>;

const stamp = v.object({
  id,
  at: v.number(),
  type: v.string(),
  events: v.optional(v.number()),
});

/** Reads one line. Undefined if it is torn, foreign or of a later version. */
export function parseEntry(line: string): JournalEntry | undefined {
  const data = parseJson(line);
  const head = v.safeParse(stamp, data);
  if (!head.success || !Object.hasOwn(entries, head.output.type)) return undefined;
  const body = v.safeParse(entries[head.output.type as EntryType], data);
  return body.success ? ({ ...body.output, ...head.output } as JournalEntry) : undefined;
}
