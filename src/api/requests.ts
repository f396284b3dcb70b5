import { checkIdempotencyHeader } from './headerName.ts';
import { checkHosts } from './hosts.ts';
import { ApiError, type Route } from './errors.ts';
import {
  checkBody,
  checkInternId,
  checkPrompt,
  checkSecretValue,
  checkSessionId,
  checkToolCallId,
} from './limits.ts';
import { checkSecretName } from './names.ts';
import { readQuestion } from './question.ts';
import { MIN_PART_CHARACTERS } from './redact.ts';
import { isSecretField } from './secretField.ts';
import type {
  Answer,
  ChatRequest,
  ElicitationContent,
  SecretDraft,
  StoredCreate,
  ToolCall,
} from './types.ts';

/** Fewest characters of an entered secret that no error may repeat, those of a PIN: a shorter one is in any sentence. */
const MIN_ENTERED_CHARACTERS = 4;

/** The intern to create, as its user describes it. */
export interface InternDraft {
  /** See `checkInternName`. */
  readonly name: string;
  /** At most 2,000 characters; null or empty sends none. */
  readonly description: string | null;
  /** At most 100,000 characters; null or empty sends none. */
  readonly instructions: string | null;
  /** True starts provisioning in this operation; false leaves it to a later call, which this interface does not have. */
  readonly provision: boolean;
}

/** The header that names a create operation. */
export interface IdempotencyKey {
  /** See `checkIdempotencyHeader`. */
  readonly headerName: string;
  /** One UUID for each draft, a new one after an edit. */
  readonly uuid: string;
}

/** A request of one route, ready to be sent with a key. */
export interface OutgoingRequest {
  readonly route: Route;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Under the API root, starting with a slash. */
  readonly path: string;
  readonly body: string | null;
  /** Headers beyond those of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Texts of the request that no error and no log may repeat. */
  readonly secrets: readonly string[];
  /** Values of an answer that no log may repeat. Errors may: the user reads in them why the values were refused. */
  readonly submitted: readonly string[];
  /** Texts of the request that may be repeated, whatever secret they contain. */
  readonly names: readonly string[];
}

/**
 * POST /interns/{internId}/chat/completions.
 *
 * @throws ApiError `invalid-request` or `payload-too-large` where the interface's limits are exceeded
 */
export function chatRequest(internId: string, request: ChatRequest): OutgoingRequest {
  refuse('chat', 'intern id', checkInternId(internId));
  if (request.sessionId !== null) refuse('chat', 'session id', checkSessionId(request.sessionId));
  return {
    route: 'chat',
    method: 'POST',
    path: `/interns/${encodeURIComponent(internId)}/chat/completions`,
    body: checkedBody('chat', JSON.stringify(chatBody(request))),
    headers: {},
    secrets: request.kind === 'answer' ? enteredSecrets(request) : [],
    submitted: request.kind === 'answer' ? submittedValues(request.answer) : [],
    names: [],
  };
}

/** GET /key. */
export function keyRequest(): OutgoingRequest {
  return {
    route: 'key',
    method: 'GET',
    path: '/key',
    body: null,
    headers: {},
    secrets: [],
    submitted: [],
    names: [],
  };
}

/**
 * Fixes the bytes of a create, to be stored and sent as they are each time: the service resumes the operation only for
 * the same header and the same body, and derives the operation's key from the body where there is no header.
 *
 * The workspace is left to the key, which decides it anyway.
 */
export function storeCreate(draft: InternDraft, idempotency: IdempotencyKey | null): StoredCreate {
  const body = {
    name: draft.name,
    ...(isSet(draft.description) && { description: draft.description }),
    ...(isSet(draft.instructions) && { instructions: draft.instructions }),
    provision: draft.provision,
  };
  return {
    body: JSON.stringify(body),
    idempotency:
      idempotency === null ? null : { name: idempotency.headerName, value: idempotency.uuid },
  };
}

/**
 * POST /interns, with the very characters that were stored.
 *
 * @throws ApiError `invalid-request` or `payload-too-large`
 */
export function createRequest({ body, idempotency }: StoredCreate): OutgoingRequest {
  if (idempotency !== null) {
    refuse('create', 'idempotency header', checkIdempotencyHeader(idempotency.name));
    refuse(
      'create',
      'idempotency key',
      /^[\x21-\x7e]+$/.test(idempotency.value) ? null : 'invalid',
    );
  }
  return {
    route: 'create',
    method: 'POST',
    path: '/interns',
    body: checkedBody('create', body),
    headers: idempotency === null ? {} : { [idempotency.name]: idempotency.value },
    secrets: [],
    submitted: [],
    names: [],
  };
}

/**
 * PUT /vault/secrets/{name}.
 *
 * @throws ApiError `invalid-request` where the name, the hosts or the value are not what the interface takes
 */
export function secretRequest(name: string, { hosts, value }: SecretDraft): OutgoingRequest {
  refuse('secret', 'secret name', checkSecretName(name));
  refuse('secret', 'secret value', checkSecretValue(value));
  const checked = checkHosts(hosts);
  if (!checked.ok) throw invalid('secret', 'hosts', checked.error.kind);
  return {
    route: 'secret',
    method: 'PUT',
    path: `/vault/secrets/${name}`,
    body: JSON.stringify({ hosts: checked.value, value }),
    headers: {},
    secrets: [value],
    submitted: [],
    names: [name, ...checked.value],
  };
}

function chatBody(request: ChatRequest): object {
  if (request.kind === 'prompt') {
    refuse('chat', 'prompt', checkPrompt(request.text));
    return {
      messages: [{ role: 'user', content: request.text }],
      stream: true,
      approval_mode: request.approvalMode,
      ...(request.sessionId !== null && { session_id: request.sessionId }),
    };
  }
  refuse('chat', 'tool call id', checkToolCallId(request.call.id));
  return {
    messages: [
      { role: 'assistant', content: null, tool_calls: [echo(request.call)] },
      { role: 'tool', tool_call_id: request.call.id, content: answerContent(request.answer) },
    ],
    stream: true,
    session_id: request.sessionId,
  };
}

function echo({ index, id, name, arguments: args }: ToolCall): object {
  return { index, id, type: 'function', function: { name, arguments: args } };
}

function answerContent(answer: Answer): string {
  if (answer.kind === 'permission') return answer.choice;
  if (answer.action !== 'accept') return JSON.stringify({ action: answer.action });
  return JSON.stringify({ action: answer.action, content: answer.content });
}

/** The values of an answer that are long enough to be recognized where they are repeated. */
export function submittedValues(answer: Answer): string[] {
  return Object.values(contentOf(answer))
    .flatMap(textsOf)
    .filter((text) => text.length >= MIN_PART_CHARACTERS);
}

/** What a user typed into fields that are secret by their name or type. */
function enteredSecrets({ call, answer }: Extract<ChatRequest, { kind: 'answer' }>): string[] {
  const question = readQuestion(call);
  if (question.kind !== 'elicitation') return [];
  const content = contentOf(answer);
  return question.fields
    .filter(({ options }) => options.length === 0)
    .flatMap((field) => {
      const value = content[field.name];
      if (value === undefined || typeof value === 'boolean') return [];
      return isSecretField(field, typeof value !== 'number') ? textsOf(value) : [];
    })
    .filter((value) => value.length >= MIN_ENTERED_CHARACTERS);
}

function contentOf(answer: Answer): ElicitationContent {
  return answer.kind === 'elicitation' && answer.action === 'accept' ? answer.content : {};
}

function textsOf(value: ElicitationContent[string]): readonly string[] {
  return typeof value === 'object' ? value : [String(value)];
}

function checkedBody(route: Route, body: string): string {
  const problem = checkBody(body);
  if (problem === null) return body;
  throw new ApiError({
    kind: 'payload-too-large',
    route,
    message: `The request body has ${problem.bytes} bytes of at most ${problem.max}`,
  });
}

/** Refuses a request whose dialog should have: the problem's kind says more than the text could without repeating it. */
function refuse(
  route: Route,
  what: string,
  problem: { readonly kind: string } | string | null,
): void {
  if (problem !== null) {
    throw invalid(route, what, typeof problem === 'string' ? problem : problem.kind);
  }
}

function invalid(route: Route, what: string, problem: string): ApiError {
  return new ApiError({ kind: 'invalid-request', route, message: `Invalid ${what}: ${problem}` });
}

function isSet(text: string | null): boolean {
  return text !== null && text !== '';
}
