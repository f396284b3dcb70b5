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

/** Errors may repeat typed secrets with fewer characters than a PIN, because these occur in any sentence. */
const MIN_ENTERED_CHARACTERS = 4;

/** The intern to create, as its user describes it. An empty description or instructions are not sent. */
export interface InternDraft {
  readonly name: string;
  readonly description: string | null;
  readonly instructions: string | null;
  /** True starts provisioning; the API has no route to start it later. */
  readonly provision: boolean;
}

/** A request of one route, ready to be sent with a key. */
export interface OutgoingRequest<R extends Route = Route> {
  readonly route: R;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Relative to the service URL, with a leading slash and with IDs. */
  readonly path: string;
  readonly body: string | null;
  /** Headers beyond those of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Texts of the request that no error and no log may repeat. */
  readonly secrets: readonly string[];
  /** Answered values, which only logs must not repeat: an error shows the user why they were refused. */
  readonly submitted: readonly string[];
  /** Texts of the request that may be repeated, even if they contain a secret. */
  readonly names: readonly string[];
}

const EMPTY_REQUEST = { body: null, headers: {}, secrets: [], submitted: [], names: [] };

function chatRoute(internId: string): Pick<OutgoingRequest<'chat'>, 'route' | 'method' | 'path'> {
  const path = `/interns/${encodeURIComponent(internId)}/chat/completions`;
  return { route: 'chat', method: 'POST', path };
}

/** POST /interns/{internId}/chat/completions. @throws ApiError `invalid-request` or `payload-too-large` */
export function chatRequest(internId: string, request: ChatRequest): OutgoingRequest {
  throwIfInvalid('chat', 'intern id', checkInternId(internId)?.kind);
  if (request.sessionId !== null)
    throwIfInvalid('chat', 'session id', checkSessionId(request.sessionId)?.kind);
  return {
    ...EMPTY_REQUEST,
    ...chatRoute(internId),
    body: checkedBody('chat', JSON.stringify(chatBody(request))),
    ...(request.kind === 'answer' && {
      secrets: enteredSecrets(request),
      submitted: submittedValues(request.answer),
    }),
  };
}

/** Returns a request without contents for one that was sent before. Only its response is read. */
export function sentChatRequest(internId: string): OutgoingRequest {
  return { ...chatRoute(internId), ...EMPTY_REQUEST };
}

/** GET /key. */
export const keyRequest: OutgoingRequest<'key'> = {
  ...EMPTY_REQUEST,
  route: 'key',
  method: 'GET',
  path: '/key',
};

/**
 * Returns the body of a create (interface: POST /interns). It is stored, and sent as the same bytes each time: the service
 * resumes a create only for the same header and body, and derives the idempotency key from the body without a header.
 *
 * The workspace is left out, because the key determines it.
 */
export function createBody({ name, description, instructions, provision }: InternDraft): string {
  return JSON.stringify({
    name,
    ...(description ? { description } : {}),
    ...(instructions ? { instructions } : {}),
    provision,
  });
}

/** POST /interns. @throws ApiError `invalid-request` or `payload-too-large` */
export function createRequest({ body, idempotency }: StoredCreate): OutgoingRequest<'create'> {
  if (idempotency !== null) {
    throwIfInvalid('create', 'idempotency header', checkIdempotencyHeader(idempotency.name));
    const isValid = /^[\x21-\x7e]+$/.test(idempotency.value);
    throwIfInvalid('create', 'idempotency key', isValid ? null : 'invalid');
  }
  return {
    ...EMPTY_REQUEST,
    route: 'create',
    method: 'POST',
    path: '/interns',
    body: checkedBody('create', body),
    headers: idempotency === null ? {} : { [idempotency.name]: idempotency.value },
  };
}

/** PUT /vault/secrets/{name}. @throws ApiError `invalid-request` */
export function secretRequest(
  name: string,
  { hosts, value }: SecretDraft,
): OutgoingRequest<'secret'> {
  throwIfInvalid('secret', 'secret name', checkSecretName(name)?.kind);
  throwIfInvalid('secret', 'secret value', checkSecretValue(value)?.kind);
  const checked = checkHosts(hosts);
  if (!checked.ok) throw invalid('secret', 'hosts', checked.error.kind);
  return {
    ...EMPTY_REQUEST,
    route: 'secret',
    method: 'PUT',
    path: `/vault/secrets/${name}`,
    body: JSON.stringify({ hosts: checked.value, value }),
    secrets: [value],
    names: [name, ...checked.value],
  };
}

function chatBody(request: ChatRequest): object {
  if (request.kind === 'prompt') {
    throwIfInvalid('chat', 'prompt', checkPrompt(request.text)?.kind);
    return {
      messages: [{ role: 'user', content: request.text }],
      stream: true,
      approval_mode: request.approvalMode,
      ...(request.sessionId !== null && { session_id: request.sessionId }),
    };
  }
  throwIfInvalid('chat', 'tool call id', checkToolCallId(request.call.id)?.kind);
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

/** Returns the values of an answer that are long enough to be recognized in another text. */
export function submittedValues(answer: Answer): string[] {
  return Object.values(contentOf(answer))
    .flatMap(textsOf)
    .filter((text) => text.length >= MIN_PART_CHARACTERS);
}

/** Returns the values that the user typed into fields that are secret by name or type. */
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

function throwIfInvalid(route: Route, what: string, problem: string | null | undefined): void {
  if (typeof problem === 'string') throw invalid(route, what, problem);
}

/** @param problem the kind of the problem only, since its text would repeat the request */
function invalid(route: Route, what: string, problem: string): ApiError {
  return new ApiError({ kind: 'invalid-request', route, message: `Invalid ${what}: ${problem}` });
}
