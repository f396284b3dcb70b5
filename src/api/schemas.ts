/**
 * The schemas of responses. Unknown fields are ignored. IDs are required. Any other field that is missing or has an
 * unexpected type reads as null, because the API does not say which fields are nullable.
 */
import * as v from 'valibot';

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

type Camelized<T> = { readonly [K in keyof T as K extends string ? CamelCase<K> : K]: T[K] };

/** Renames the fields of an object, not those of nested objects. */
function camelized<T extends object>(value: T): Camelized<T> {
  const entries = Object.entries(value).map(([name, field]: [string, unknown]) => [
    name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
    field,
  ]);
  return Object.fromEntries(entries) as Camelized<T>;
}

const id = v.pipe(v.string(), v.nonEmpty());
const integer = v.pipe(v.number(), v.integer());
const text = orNull(v.string());
const number = orNull(v.number());
const boolean = orNull(v.boolean());
const texts = orNull(list(v.string()));

function orNull<T>(schema: v.GenericSchema<unknown, T>) {
  return v.fallback(v.nullable(schema), null);
}

function list<T>(schema: v.GenericSchema<unknown, T>) {
  return v.pipe(v.array(schema), v.readonly());
}

/** The intern object (interface: Resources and their fields). */
export const internSchema = v.pipe(
  v.object({
    id,
    name: text,
    description: text,
    instructions: text,
    /** Null means the workspace's default. */
    model: text,
    /** One of `INTERN_STATUSES`, or an unlisted one. */
    status: text,
    hostname: text,
    /** The active provisioning step; its fields are not specified. */
    progress: orNull(v.record(v.string(), v.unknown())),
    last_failure_message: text,
    vault_id: text,
    attached_vault_id: text,
    workspace_id: id,
    /** ISO 8601. */
    created_at: text,
    /** ISO 8601. */
    updated_at: text,
  }),
  v.transform(camelized),
);

/** Secret metadata under `data` (interface: Secret metadata). */
export const secretResponseSchema = v.pipe(
  v.object({
    data: v.object({
      name: id,
      /** Null only for legacy rows. */
      hosts: texts,
      /** `sha256:<hex digest>`, comparable within one vault only. Null only for legacy rows. */
      fingerprint: text,
      /** ISO 8601. */
      created_at: text,
    }),
  }),
  v.transform(({ data }) => camelized(data)),
);

/** Information on the key (interface: Current API key information), without the deprecated `rate_limit`. */
export const keyResponseSchema = v.pipe(
  v.object({
    data: v.object({
      creator_user_id: text,
      workspace_id: id,
      organization_id: text,
      label: text,
      /** ISO 8601. */
      expires_at: text,
      allowed_data_regions: texts,
      is_free_tier: boolean,
      is_management_key: boolean,
      is_provisioning_key: boolean,
      include_byok_in_limit: boolean,
      /** The units of amounts are not specified. */
      limit: number,
      limit_remaining: number,
      limit_reset: text,
      usage: number,
      usage_daily: number,
      usage_weekly: number,
      usage_monthly: number,
      byok_usage: number,
      byok_usage_daily: number,
      byok_usage_weekly: number,
      byok_usage_monthly: number,
      free_model_daily_requests: orNull(
        v.object({ limit: number, remaining: number, used: number }),
      ),
    }),
  }),
  v.transform(({ data }) => camelized(data)),
);

/** The error body of every route before streaming (interface: Error body). */
export const errorBodySchema = v.pipe(
  v.object({
    error: v.object({
      code: integer,
      message: v.string(),
      metadata: orNull(v.object({ reason: text })),
    }),
  }),
  v.transform(({ error }) => ({ ...error, reason: error.metadata?.reason ?? null })),
);

const EMPTY_DELTA = { role: null, content: null, reasoning: null, tool_calls: null };

/** One chunk of a stream. The reader checks which fields are missing (interface: Stream chunk). */
export const chunkSchema = v.object({
  model: text,
  choices: v.nullish(
    v.array(
      v.object({
        delta: v.fallback(
          v.object({
            role: text,
            content: text,
            reasoning: text,
            tool_calls: v.optional(v.unknown(), null),
          }),
          EMPTY_DELTA,
        ),
        finish_reason: text,
      }),
    ),
    [],
  ),
  error: orNull(
    v.object({
      code: orNull(integer),
      message: v.fallback(v.string(), ''),
      metadata: orNull(v.object({ reason: text })),
    }),
  ),
  session_id: v.optional(v.unknown()),
  usage: v.optional(v.unknown()),
});

export type Chunk = v.InferOutput<typeof chunkSchema>;

/** One complete entry of `delta.tool_calls`. An answer echoes it unchanged. */
export const toolCallSchema = v.pipe(
  v.object({
    index: v.fallback(integer, 0),
    /** The interaction ID, sent back as `tool_call_id`. */
    id: v.string(),
    function: v.object({
      /** `service.provide_input` if the call is a question. */
      name: v.string(),
      /** A JSON object as text, verbatim. */
      arguments: v.string(),
    }),
  }),
  v.transform(({ index, id, function: called }) => ({ index, id, ...called })),
  v.readonly(),
);

/** The usage object of a final chunk (interface: Usage object). */
export const usageSchema = v.pipe(
  v.object({
    prompt_tokens: integer,
    completion_tokens: integer,
    total_tokens: integer,
    /** US dollars. A negative cost would raise the user's limit, and an infinite sum could not be stored. */
    cost: orNull(v.pipe(v.number(), v.minValue(0), v.maxValue(1e9))),
    prompt_tokens_details: orNull(v.object({ cached_tokens: orNull(integer) })),
  }),
  v.transform(({ prompt_tokens_details: details, ...usage }) => ({
    ...camelized(usage),
    cachedTokens: details?.cached_tokens ?? null,
  })),
);

/** One value of an elicitation. */
export const questionFieldSchema = v.pipe(
  v.object({
    name: v.string(),
    /** A type name such as `string`, `number` or `boolean`; the API does not list them. */
    type: v.fallback(v.string(), 'string'),
    required: v.fallback(v.boolean(), false),
    /** The allowed values; empty if any value is allowed. */
    options: v.fallback(list(v.string()), []),
    /** Not in the API, but services send it. */
    description: v.optional(v.fallback(v.string(), '')),
    /** Not in the API, but services send it; of any type. */
    default: v.optional(v.unknown()),
  }),
  v.readonly(),
);

/** The arguments of a question (interface: Tool call entry). */
export const questionSchema = v.pipe(
  v.variant('kind', [
    v.object({
      kind: v.literal('permission'),
      /** The tool that asks; null if it is unnamed. */
      operation: text,
      /** In the order offered. May hold options that `PERMISSION_OPTIONS` does not list. */
      options: list(v.string()),
    }),
    v.object({
      kind: v.literal('elicitation'),
      message: v.fallback(v.string(), ''),
      fields: list(questionFieldSchema),
    }),
  ]),
  v.readonly(),
);
