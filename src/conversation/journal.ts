import * as v from 'valibot';
import { approvalModes } from '../base/approvalMode.ts';
import { parseJson } from '../base/json.ts';
import { CLOSINGS, AUTO_ANSWER } from './questions/types.ts';
import { WHEN_UNANSWERED } from './questions/unanswered.ts';

/**
 * The record of one conversation: entries appended to a JSONL file, one a line, and read by folding (transcript.ts).
 *
 * Entries are the single source of what was said: the disk, the page and a second window all follow them. Nothing
 * secret is in one: an elicitation's values never are, only which way it was answered.
 */

/** How lists show a conversation: among the others, before them, or only where archived ones are asked for. */
export const LISTED_AS = ['plain', 'pinned', 'archived'] as const;
export type ListedAs = (typeof LISTED_AS)[number];

/** When self-drive ends: at a moment (epoch ms), with the next prompt, or not by itself. */
export type SelfDriveLimit = number | 'this-prompt' | null;

const id = v.string();
const nullableText = v.nullable(v.string());
const mode = v.picklist(approvalModes);
/** Absent where a user gave an answer. */
const by = v.optional(v.literal(AUTO_ANSWER));

const failure = v.object({
  /** The `ApiError` kind. */
  kind: v.string(),
  /** HTTP status, 0 where there was none. */
  status: v.number(),
  reason: v.optional(v.string()),
  /** The service's own sentence, or empty. */
  message: v.string(),
  /** Whether the failure came after the response began. */
  inStream: v.boolean(),
  /** The platform's name of a lost connection, such as `ECONNRESET`. */
  code: v.optional(v.string()),
  /** What the service asked to wait before another try. */
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
  /** First line of every record; `version` is that of who began it, and absent in the first one. */
  opened: v.object({ intern: id, mode, version: v.optional(v.number()) }),
  renamed: v.object({ title: v.string() }),
  /** How lists show the conversation, as its user chose. */
  listed: v.object({ as: v.picklist(LISTED_AS) }),
  /**
   * The approval mode that was chosen. `limit` says that self-drive was, for a while: until a moment (epoch ms), or for
   * the next prompt. `mode` is manual beside it, which a window of a version that knows no limit goes by.
   */
  mode: v.object({ mode, limit: v.optional(v.union([v.number(), v.literal('this-prompt')])) }),
  /** The user agreed to self-drive in this conversation, until it is switched off. */
  consented: v.object({}),
  /** The amount that the conversation may cost, in USD; null takes the limit away. */
  'cost-limit': v.object({ usd: v.nullable(v.number()) }),
  /** What becomes of a question that nobody answers. */
  unanswered: v.object({ then: v.picklist(WHEN_UNANSWERED) }),
  /** A run's prompt: `text` as typed, `sent` the whole that went to the service where attachments were added. */
  prompt: v.object({
    run: id,
    text: v.string(),
    sent: v.optional(v.string()),
    attachments: v.optional(v.array(attachment)),
    mode,
    /** The session that it was sent into; absent for the first. */
    session: v.optional(id),
  }),
  /** Self-drive was over before the service took the prompt of a run: it goes out in manual. */
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
  /** An answer was sent; `how` is the permission option, or `accept`, `decline`, `cancel`. Never a value. */
  answering: v.object({ question: id, how: v.string(), by }),
  /** The service took the answer. */
  answered: v.object({ question: id, how: v.string(), by }),
  /** The answer failed and the question is open again. `isLost`: an earlier try of this answer may have been received. */
  refused: v.object({ question: id, failure, isLost: v.optional(v.literal(true)) }),
  /** The question is over without an answer that is known to count. */
  closed: v.object({
    question: id,
    why: v.picklist(CLOSINGS),
  }),
  /** Its user had the intern told that nobody had answered it. */
  told: v.object({ question: id }),
  /** End of one response: the stream said so. */
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
    /** What the service calls the response. */
    completion: v.optional(v.string()),
  }),
  /** The run failed, was stopped by the user, or was cut off without the service's word. */
  failed: v.object({ run: id, failure }),
  stopped: v.object({ run: id }),
  cut: v.object({ run: id }),
  /** A line between messages; `by-agent` stands before a prompt that an agent of the editor wrote. */
  notice: v.object({
    notice: v.picklist(['new-session', 'edited', 'unreadable-call', 'by-agent']),
  }),
} as const;

type EntryType = keyof typeof entries;

/** What every entry carries: its own id (so that a line read twice counts once) and when, epoch ms. */
interface Stamp {
  readonly id: string;
  readonly at: number;
}

export type JournalEntry = {
  [K in EntryType]: Stamp & { readonly type: K } & Readonly<v.InferOutput<(typeof entries)[K]>>;
}[EntryType];

/** An entry before it is stamped. */
export type EntryBody = {
  [K in EntryType]: { readonly type: K } & Readonly<v.InferOutput<(typeof entries)[K]>>;
}[EntryType];

export type StoredFailure = v.InferOutput<typeof failure>;
export type StoredUsage = v.InferOutput<typeof usage>;
export type StoredAttachment = v.InferOutput<typeof attachment>;

const stamp = v.object({ id, at: v.number(), type: v.string() });

/** Reads one line. Undefined for a torn, foreign or later version's line, which is skipped. */
export function parseEntry(line: string): JournalEntry | undefined {
  const data = parseJson(line);
  const head = v.safeParse(stamp, data);
  if (!head.success || !Object.hasOwn(entries, head.output.type)) return undefined;
  const { type, id: entryId, at } = head.output;
  const body = v.safeParse(entries[type as EntryType], data);
  return body.success ? ({ ...body.output, type, id: entryId, at } as JournalEntry) : undefined;
}

/** Writes one line, without its line break. */
export function formatEntry(entry: JournalEntry): string {
  return JSON.stringify(entry);
}
