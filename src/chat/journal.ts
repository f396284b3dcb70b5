import * as v from 'valibot';

/**
 * The record of one conversation: entries appended to a JSONL file, one a line, and read by folding (transcript.ts).
 *
 * Entries are the single source of what was said: the disk, the page and a second window all follow them. Nothing
 * secret is in one: an elicitation's values never are, only which way it was answered.
 */

const id = v.string();
const nullableText = v.nullable(v.string());
const mode = v.picklist(['manual', 'self-drive']);

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
  /** First line of every record. */
  opened: v.object({ intern: id, mode }),
  renamed: v.object({ title: v.string() }),
  mode: v.object({ mode }),
  /** The user agreed to self-drive in this conversation. */
  consented: v.object({}),
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
  text: v.object({ run: id, text: v.string() }),
  reasoning: v.object({ run: id, text: v.string() }),
  /** A pending interaction (interface: Stream chunk, tool call entry). */
  asked: v.object({
    run: id,
    question: id,
    call: v.object({ id, name: v.string(), arguments: v.string() }),
  }),
  /** An answer was sent; `how` is the permission option, or `accept`, `decline`, `cancel`. Never a value. */
  answering: v.object({ question: id, how: v.string() }),
  /** The service took the answer. */
  answered: v.object({ question: id, how: v.string() }),
  /** The service refused the answer and the question is pending again. */
  refused: v.object({ question: id, failure }),
  /** The question is over without an answer that is known to count. */
  closed: v.object({
    question: id,
    why: v.picklist([
      'expired',
      'gone',
      'maybe-answered',
      'abandoned',
      'run-ended',
      'unanswerable',
    ]),
  }),
  /** End of one response: the stream said so. */
  finished: v.object({
    run: id,
    reason: v.picklist(['stop', 'tool_calls', 'error']),
    failure: v.optional(failure),
  }),
  /** The final chunk. A null session never erases a known one. */
  end: v.object({ run: id, session: nullableText, model: nullableText, usage: v.nullable(usage) }),
  /** The run failed, was stopped by the user, or was cut off without the service's word. */
  failed: v.object({ run: id, failure }),
  stopped: v.object({ run: id }),
  cut: v.object({ run: id }),
  /** A line between messages. */
  notice: v.object({ notice: v.picklist(['new-session', 'edited']) }),
} as const;

export type EntryType = keyof typeof entries;

/** What every entry carries: its own id (so that a line read twice counts once) and when, epoch ms. */
interface Stamp {
  readonly id: string;
  readonly at: number;
}

export type Entry = {
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
export function parseEntry(line: string): Entry | undefined {
  let data: unknown;
  try {
    data = JSON.parse(line);
  } catch {
    return undefined;
  }
  const head = v.safeParse(stamp, data);
  if (!head.success || !Object.hasOwn(entries, head.output.type)) return undefined;
  const { type, id: entryId, at } = head.output;
  const body = v.safeParse(entries[type as EntryType], data);
  return body.success ? ({ ...body.output, type, id: entryId, at } as Entry) : undefined;
}

/** Writes one line, without its line break. */
export function formatEntry(entry: Entry): string {
  return JSON.stringify(entry);
}
