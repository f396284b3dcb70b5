/**
 * What the service answers, checked at the border: more fields than these are ignored, ids must be there, and any other
 * field that is missing or of another type than promised reads as null, because the interface leaves nullability open.
 */
import * as v from 'valibot';
import type { Intern, KeyInfo, SecretMetadata } from './types.ts';

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

type Camelized<T> = { readonly [K in keyof T as K extends string ? CamelCase<K> : K]: T[K] };

/** Renames the fields of one object, not of those in it. */
function camelized<T extends object>(value: T): Camelized<T> {
  const entries = Object.entries(value).map(([name, field]: [string, unknown]) => [
    name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
    field,
  ]);
  return Object.fromEntries(entries) as Camelized<T>;
}

const id = v.pipe(v.string(), v.nonEmpty());
const integer = v.pipe(v.number(), v.integer());
const text = v.fallback(v.nullable(v.string()), null);
const number = v.fallback(v.nullable(v.number()), null);
const boolean = v.fallback(v.nullable(v.boolean()), null);
const texts = v.fallback(v.nullable(v.array(v.string())), null);

/** The intern object ("Resources and their fields"). */
export const internSchema: v.GenericSchema<unknown, Intern> = v.pipe(
  v.object({
    id,
    name: text,
    description: text,
    instructions: text,
    model: text,
    status: text,
    hostname: text,
    progress: v.fallback(v.nullable(v.record(v.string(), v.unknown())), null),
    last_failure_message: text,
    vault_id: text,
    attached_vault_id: text,
    workspace_id: id,
    created_at: text,
    updated_at: text,
  }),
  v.transform(camelized),
);

/** Secret metadata under `data`. */
export const secretResponseSchema: v.GenericSchema<unknown, SecretMetadata> = v.pipe(
  v.object({
    data: v.object({ name: id, hosts: texts, fingerprint: text, created_at: text }),
  }),
  v.transform(({ data }) => camelized(data)),
);

/** The key's information under `data`. `rate_limit` is deprecated and not read. */
export const keyResponseSchema: v.GenericSchema<unknown, KeyInfo> = v.pipe(
  v.object({
    data: v.object({
      creator_user_id: text,
      workspace_id: id,
      organization_id: text,
      label: text,
      expires_at: text,
      allowed_data_regions: texts,
      is_free_tier: boolean,
      is_management_key: boolean,
      is_provisioning_key: boolean,
      include_byok_in_limit: boolean,
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
      free_model_daily_requests: v.fallback(
        v.nullable(v.object({ limit: number, remaining: number, used: number })),
        null,
      ),
    }),
  }),
  v.transform(({ data }) => camelized(data)),
);

/** The error body before streaming, the same from every route ("Error body"). */
export const errorBodySchema = v.pipe(
  v.object({
    error: v.object({
      code: integer,
      message: v.string(),
      metadata: v.fallback(v.nullable(v.object({ reason: text })), null),
    }),
  }),
  v.transform(({ error }) => ({ ...error, reason: error.metadata?.reason ?? null })),
);

const noDelta = { role: null, content: null, reasoning: null, tool_calls: null };

/** One chunk of a stream, any field of it: what is missing is decided where it is needed ("Stream chunk"). */
export const chunkSchema = v.object({
  model: text,
  choices: v.optional(
    v.array(
      v.object({
        delta: v.fallback(
          v.object({
            role: text,
            content: text,
            reasoning: text,
            tool_calls: v.optional(v.unknown(), null),
          }),
          noDelta,
        ),
        finish_reason: text,
      }),
    ),
    [],
  ),
  error: v.fallback(
    v.nullable(
      v.object({
        code: v.fallback(v.nullable(integer), null),
        message: v.fallback(v.string(), ''),
        metadata: v.fallback(v.nullable(v.object({ reason: text })), null),
      }),
    ),
    null,
  ),
  session_id: v.optional(v.unknown()),
  usage: v.optional(v.unknown()),
});

export type Chunk = v.InferOutput<typeof chunkSchema>;

/** One complete entry of `delta.tool_calls`. */
export const toolCallSchema = v.object({
  index: v.fallback(v.number(), 0),
  id: v.string(),
  function: v.object({ name: v.string(), arguments: v.string() }),
});

/** The usage object of a final chunk. */
export const usageSchema = v.pipe(
  v.object({
    prompt_tokens: integer,
    completion_tokens: integer,
    total_tokens: integer,
    cost: number,
    prompt_tokens_details: v.fallback(
      v.nullable(v.object({ cached_tokens: v.fallback(v.nullable(integer), null) })),
      null,
    ),
  }),
  v.transform(({ prompt_tokens_details: details, ...usage }) => ({
    ...camelized(usage),
    cachedTokens: details?.cached_tokens ?? null,
  })),
);

/** The arguments of a permission request. */
export const permissionSchema = v.object({ operation: text, options: v.array(v.string()) });

/** The arguments of an elicitation. */
export const elicitationSchema = v.object({
  message: v.fallback(v.string(), ''),
  fields: v.array(
    v.object({
      name: v.string(),
      type: v.fallback(v.string(), 'string'),
      required: v.fallback(v.boolean(), false),
      options: v.fallback(v.array(v.string()), []),
      description: v.optional(v.fallback(v.string(), '')),
      default: v.optional(v.unknown()),
    }),
  ),
});
