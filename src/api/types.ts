/**
 * What goes to the service and what comes from it, in the program's own terms.
 *
 * The names of fields are the interface's, in camel case. Only ids are sure to be there: every other field may be null,
 * because the interface does not say which may be left out, and a field of another type than promised reads as null.
 */
import type { ApprovalMode } from '../base/approvalMode.ts';
import type { ApiError } from './errors.ts';

export type { ApprovalMode };

/** A tool call as it was streamed. Echoed unchanged when it is answered. */
export interface ToolCall {
  readonly index: number;
  /** The interaction id, 1 to 128 characters, sent back as `tool_call_id`. */
  readonly id: string;
  /** `service.provide_input` where the call is a question of the intern. */
  readonly name: string;
  /** A JSON object as text, verbatim. */
  readonly arguments: string;
}

/** The kinds of permission option that the interface lists, in the order in which they are offered to a user. */
export const PERMISSION_OPTIONS = [
  'allow_once',
  'allow_always',
  'reject_once',
  'reject_always',
] as const;

export type PermissionOption = (typeof PERMISSION_OPTIONS)[number];

/** One value that an intern asks for. */
export interface QuestionField {
  readonly name: string;
  /** A type name such as `string`, `number` or `boolean`; the interface does not list them. */
  readonly type: string;
  readonly required: boolean;
  /** The allowed values; empty where any value is. */
  readonly options: readonly string[];
  /** What the value is for. The interface shows no such attribute; services give it all the same. */
  readonly description?: string | undefined;
  /** A value to begin with, as {@link QuestionField.description} unshown; of any type. */
  readonly default?: unknown;
}

/** Why a tool call is not a question that can be answered. */
export type UnreadableProblem =
  /** The id is shorter than 1 or longer than 128 characters: no answer could carry it. */
  | 'id-length'
  /** The call is not one of `service.provide_input`. */
  | 'tool-name'
  /** The arguments are not a JSON object. */
  | 'not-json'
  /** The arguments' `kind` is neither `permission` nor `elicitation`. */
  | 'unknown-kind'
  /** The kind is known, but its fields have other types than the interface says. */
  | 'shape';

/** What an intern asks, read from the arguments of a tool call. */
export type Question =
  | {
      readonly kind: 'permission';
      /** The tool that asks, null where it is unnamed. */
      readonly operation: string | null;
      /** Option kinds in the order offered; may hold kinds that {@link PERMISSION_OPTIONS} does not list. */
      readonly options: readonly string[];
    }
  | {
      readonly kind: 'elicitation';
      readonly message: string;
      readonly fields: readonly QuestionField[];
    }
  | { readonly kind: 'unreadable'; readonly problem: UnreadableProblem };

/** A question that its user can read and answer. */
export type ReadableQuestion = Exclude<Question, { readonly kind: 'unreadable' }>;

/** The values of an accepted elicitation, by the name of their field. */
export type ElicitationContent = Readonly<
  Record<string, string | number | boolean | readonly string[]>
>;

/** What a user says to a question. */
export type Answer =
  /** One of the offered option kinds, verbatim, or `cancel`. */
  | { readonly kind: 'permission'; readonly choice: string }
  | { readonly kind: 'elicitation'; readonly action: 'decline' | 'cancel' }
  | {
      readonly kind: 'elicitation';
      readonly action: 'accept';
      readonly content: ElicitationContent;
    };

/**
 * One request to the chat route.
 *
 * A prompt starts a run. An answer continues the run that asked, in the mode which that run started with.
 * Only what the service reads is sent: the prompt alone, or the echoed tool call and its answer.
 */
export type ChatRequest =
  | {
      readonly kind: 'prompt';
      /** At most 32,000 characters. */
      readonly text: string;
      readonly approvalMode: ApprovalMode;
      /** 1 to 256 characters; null starts a new session. */
      readonly sessionId: string | null;
    }
  | {
      readonly kind: 'answer';
      readonly sessionId: string;
      readonly call: ToolCall;
      readonly answer: Answer;
    };

/** Tokens and money of one response. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  /** Null where the service did not report it. */
  readonly cachedTokens: number | null;
  /** US dollars; null where the service did not report it. */
  readonly cost: number | null;
}

/** What was wrong with a part of a stream that was skipped. */
export type MalformedProblem =
  /** The data of an event is not JSON. */
  | 'not-json'
  /** The data is JSON, but not a chunk of a chat completion. */
  | 'not-a-chunk'
  /** A tool call without the fields that it must have. */
  | 'tool-call'
  /** A session id shorter than 1 or longer than 256 characters; the end event then carries null. */
  | 'session-id'
  /** A usage object without its three counts; the end event then carries null. */
  | 'usage'
  /** A second finish chunk; the first one counts. */
  | 'second-finish'
  /** A second final chunk; the first one counts. */
  | 'second-end'
  /** More than one choice in a chunk; the first one counts. */
  | 'extra-choice';

/** One thing that a response says, in the order said. */
export type ChatEvent =
  /** The response begins. */
  | { readonly kind: 'role' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** The intern asks. Ask the user when the stream has ended: the session id that an answer needs comes last. */
  | { readonly kind: 'interaction'; readonly call: ToolCall; readonly question: Question }
  | { readonly kind: 'finish'; readonly reason: 'stop' | 'tool_calls' }
  /** The run failed, or ended for a reason that the interface does not list. */
  | { readonly kind: 'finish'; readonly reason: 'error' | 'unlisted'; readonly error: ApiError }
  /** The final chunk. A null session id means that this response told none, not that there is none. */
  | {
      readonly kind: 'end';
      readonly sessionId: string | null;
      readonly usage: Usage | null;
      /** The intern's model as reported; null where only the placeholder `service/intern` was. */
      readonly model: string | null;
      /** What the service calls this response; null where it gave no id of 1 to 256 characters. */
      readonly completionId: string | null;
    }
  /** A part of the stream was skipped, and the stream went on. What was said is not repeated here. */
  | { readonly kind: 'malformed'; readonly problem: MalformedProblem };

/** Statuses of an intern that the interface lists. The service may report others. */
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

/** Whether the interface lists this status. */
export function isInternStatus(status: string | null): status is InternStatus {
  return (INTERN_STATUSES as readonly (string | null)[]).includes(status);
}

/** An intern as create and its replay report it. */
export interface Intern {
  readonly id: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly instructions: string | null;
  /** Null means the workspace's default. */
  readonly model: string | null;
  /** One of {@link INTERN_STATUSES}, or another that the interface does not list. */
  readonly status: string | null;
  readonly hostname: string | null;
  /** The active provisioning step; its fields are not specified. */
  readonly progress: Readonly<Record<string, unknown>> | null;
  readonly lastFailureMessage: string | null;
  readonly vaultId: string | null;
  readonly attachedVaultId: string | null;
  readonly workspaceId: string;
  /** ISO 8601. */
  readonly createdAt: string | null;
  /** ISO 8601. */
  readonly updatedAt: string | null;
}

/** A stored secret. Its value never comes back. */
export interface SecretMetadata {
  readonly name: string;
  /** Null for legacy rows only. */
  readonly hosts: readonly string[] | null;
  /** `sha256:<hex digest>`; comparable within one vault only. Null for legacy rows only. */
  readonly fingerprint: string | null;
  /** ISO 8601. */
  readonly createdAt: string | null;
}

/** What the service says about the key that a call carried. Units of amounts are not specified. */
export interface KeyInfo {
  readonly workspaceId: string;
  readonly creatorUserId: string | null;
  readonly organizationId: string | null;
  readonly label: string | null;
  /** ISO 8601. */
  readonly expiresAt: string | null;
  readonly allowedDataRegions: readonly string[] | null;
  readonly isFreeTier: boolean | null;
  readonly isManagementKey: boolean | null;
  readonly isProvisioningKey: boolean | null;
  readonly includeByokInLimit: boolean | null;
  readonly limit: number | null;
  readonly limitRemaining: number | null;
  readonly limitReset: string | null;
  readonly usage: number | null;
  readonly usageDaily: number | null;
  readonly usageWeekly: number | null;
  readonly usageMonthly: number | null;
  readonly byokUsage: number | null;
  readonly byokUsageDaily: number | null;
  readonly byokUsageWeekly: number | null;
  readonly byokUsageMonthly: number | null;
  readonly freeModelDailyRequests: {
    readonly limit: number | null;
    readonly remaining: number | null;
    readonly used: number | null;
  } | null;
}

/** A secret to store. The value is sent and forgotten. */
export interface SecretDraft {
  /** 1 to 100 normalised hosts, see `checkHosts`. */
  readonly hosts: readonly string[];
  /** 1 to 65,536 characters. */
  readonly value: string;
}

/** A create that can be resumed: the exact bytes of its body, and the header that names the operation if one is set. */
export interface StoredCreate {
  /** The JSON body, to be sent as these very characters each time. */
  readonly body: string;
  readonly idempotency: { readonly name: string; readonly value: string } | null;
}
