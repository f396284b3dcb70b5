import * as v from 'valibot';
import { InvalidBody, parseBody, text, validate } from './fields.ts';

export type ApprovalMode = 'manual' | 'self-drive';

/** A new run. The last message has role `user`. */
export interface PromptRequest {
  kind: 'prompt';
  sessionId: string | undefined;
  mode: ApprovalMode;
  text: string;
}

/** An answer to a pending question. The last message has role `tool`. */
export interface AnswerRequest {
  kind: 'answer';
  sessionId: string;
  toolCallId: string;
  content: string;
  /** The echo of the answered tool call, if one was sent. */
  echo: EchoedCall | undefined;
}

/** A tool call in an assistant message of the client. */
export interface EchoedCall {
  id: string;
  /** Optional: only id and function are required. */
  index: unknown;
  name: string;
  arguments: string;
}

export type ChatRequest = PromptRequest | AnswerRequest;

const id = text(1, 256);
const toolCallId = text(1, 128);
const prompt = text(0, 32_000);

const textPart = v.object({ type: v.literal('text'), text: v.string() });

/** A string, or text parts, which are joined. */
const content = v.union([
  v.string(),
  v.pipe(
    v.array(textPart),
    v.transform((parts) => parts.map((part) => part.text).join('')),
  ),
]);

const echo = v.pipe(
  v.object({
    id: toolCallId,
    index: v.optional(v.unknown()),
    function: v.object({ name: v.string(), arguments: v.string() }),
  }),
  v.transform(({ id, index, function: called }): EchoedCall => ({ id, index, ...called })),
);

const message = v.variant('role', [
  v.object({ role: v.picklist(['system', 'developer', 'user']), content }),
  v.object({
    role: v.literal('assistant'),
    content: v.nullish(content, ''),
    tool_calls: v.optional(v.array(echo), []),
  }),
  v.object({ role: v.literal('tool'), content, tool_call_id: toolCallId }),
]);

const chatRequest = v.object({
  messages: v.pipe(v.array(message), v.minLength(1, 'must have at least 1 item')),
  stream: v.literal(true),
  approval_mode: v.optional(v.picklist(['manual', 'self-drive']), 'self-drive'),
  session_id: v.optional(id),
  model: v.optional(id),
});

/**
 * Parses the body of the chat route (interface: Chat request, Chat message). All messages are validated, and only
 * the last one is used. Fields that the interface does not name are ignored.
 * @throws InvalidBody
 */
export function parseChatRequest(body: Uint8Array): ChatRequest {
  const { messages, session_id: sessionId, approval_mode: mode } = parseBody(chatRequest, body);
  const last = messages.at(-1);
  if (last?.role === 'user')
    return { kind: 'prompt', sessionId, mode, text: validate(prompt, last.content, 'The prompt') };
  if (last?.role !== 'tool') throw new InvalidBody('The last message must have role user or tool.');
  if (sessionId === undefined) throw new InvalidBody('A tool message needs session_id.');
  const echoes = messages.flatMap((each) => (each.role === 'assistant' ? each.tool_calls : []));
  return {
    kind: 'answer',
    sessionId,
    toolCallId: last.tool_call_id,
    content: last.content,
    echo: echoes.findLast((each) => each.id === last.tool_call_id),
  };
}
