/** Types of requests and responses. Fields have the API's names, in camel case. */
import type * as v from 'valibot';
import type { ApprovalMode } from '../base/approvalMode.ts';
import type { ApiError } from './errors.ts';
import type {
  internSchema,
  keyResponseSchema,
  questionFieldSchema,
  questionSchema,
  secretResponseSchema,
  toolCallSchema,
  usageSchema,
} from './schemas.ts';

export type { ApprovalMode };

/** A tool call as it was streamed. An answer echoes it unchanged. */
export type ToolCall = v.InferOutput<typeof toolCallSchema>;

/** The permission options that the API lists (interface: Tool reply contents), in the order of the dialogs. */
export const PERMISSION_OPTIONS = [
  'allow_once',
  'allow_always',
  'reject_once',
  'reject_always',
] as const;

/** One value of an elicitation. */
export type QuestionField = v.InferOutput<typeof questionFieldSchema>;

export type ReadableQuestion = v.InferOutput<typeof questionSchema>;

export type Question =
  ReadableQuestion | { readonly kind: 'unreadable'; readonly problem: UnreadableProblem };

/** Why a tool call is not a question that can be answered. */
export type UnreadableProblem =
  /** The ID is too short or too long for an answer. */
  | 'id-length'
  | 'tool-name'
  /** The arguments are not a JSON object. */
  | 'not-json'
  /** The arguments' `kind` is neither `permission` nor `elicitation`. */
  | 'unknown-kind'
  /** The kind is known, but a field has another type than the API lists. */
  | 'shape'
  /** It has more than `MAX_QUESTION_ROWS` options and fields. */
  | 'too-large';

/** The values of an accepted elicitation, by field name. */
export type ElicitationContent = Readonly<
  Record<string, string | number | boolean | readonly string[]>
>;

export type Answer =
  /** One of the offered options, verbatim, or `cancel`. */
  | { readonly kind: 'permission'; readonly choice: string }
  | { readonly kind: 'elicitation'; readonly action: 'decline' | 'cancel' }
  | {
      readonly kind: 'elicitation';
      readonly action: 'accept';
      readonly content: ElicitationContent;
    };

/** A chat request (interface: Chat request). A prompt starts a run; an answer continues the run that asked, in its mode. */
export type ChatRequest =
  | {
      readonly kind: 'prompt';
      readonly text: string;
      readonly approvalMode: ApprovalMode;
      /** Null starts a new session. */
      readonly sessionId: string | null;
    }
  | {
      readonly kind: 'answer';
      readonly sessionId: string;
      readonly call: ToolCall;
      readonly answer: Answer;
    };

/** Tokens and money of one response. */
export type Usage = v.InferOutput<typeof usageSchema>;

/** Why a part of a stream was skipped. */
export type MalformedProblem =
  /** The data of an event is not JSON. */
  | 'not-json'
  /** The data is JSON, but not a chunk of a chat completion. */
  | 'not-a-chunk'
  /** A tool call lacks a required field. */
  | 'tool-call'
  /** A session ID is too short or too long; the end event then carries null. */
  | 'session-id'
  /** A usage object lacks a count; the end event then carries null. */
  | 'usage'
  /** A second finish chunk; the first one counts. */
  | 'second-finish'
  /** A second final chunk; the first one counts. */
  | 'second-end'
  /** More than one choice in a chunk; the first one counts. */
  | 'extra-choice';

/** A part of a response. */
export type ChatEvent =
  | { readonly kind: 'role' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** Ask the user only when the stream has ended: the session ID that an answer needs comes last. */
  | { readonly kind: 'interaction'; readonly call: ToolCall }
  | { readonly kind: 'finish'; readonly reason: 'stop' | 'tool_calls' }
  /** The run failed, or ended for an unlisted reason. */
  | { readonly kind: 'finish'; readonly reason: 'error' | 'unlisted'; readonly error: ApiError }
  /** The final chunk. A null session ID means that this response lacks it, not that there is no session. */
  | {
      readonly kind: 'end';
      readonly sessionId: string | null;
      readonly usage: Usage | null;
      /** Null if the service reported only the placeholder `service/intern`. */
      readonly model: string | null;
      /** The service's ID of this response; null if it gave none of 1 to 256 characters. */
      readonly completionId: string | null;
    }
  /** A part of the stream was skipped. */
  | { readonly kind: 'malformed'; readonly problem: MalformedProblem };

/** The statuses of an intern that the API lists (interface: Intern status). The service may report others. */
export const INTERN_STATUSES = [
  'awaiting_slack_install',
  'queued',
  'provisioning',
  'running',
  'failed',
  'stopped',
  'destroying',
  'destroy_failed',
] as const;

export type InternStatus = (typeof INTERN_STATUSES)[number];

export function isInternStatus(status: string | null): status is InternStatus {
  return (INTERN_STATUSES as readonly (string | null)[]).includes(status);
}

/** An intern as create and its replay report it. */
export type Intern = v.InferOutput<typeof internSchema>;

/** A stored secret, without its value. */
export type SecretMetadata = v.InferOutput<typeof secretResponseSchema>;

export type KeyInfo = v.InferOutput<typeof keyResponseSchema>;

export interface SecretDraft {
  /** Normalized, see `checkHosts`. */
  readonly hosts: readonly string[];
  readonly value: string;
}

/** A create that can be resumed. */
export interface StoredCreate {
  /** Sent as exactly these characters each time, see `createBody`. */
  readonly body: string;
  /** The idempotency header, if its name is set. */
  readonly idempotency: { readonly name: string; readonly value: string } | null;
}
