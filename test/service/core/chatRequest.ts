import {
  asArray,
  asObject,
  InvalidBody,
  type JsonObject,
  requiredString,
  optionalString,
  type StringRule,
} from './fields.ts';

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

interface Message {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  text: string;
  toolCallId?: string;
  echoes?: readonly EchoedCall[];
}

const MAX_PROMPT_CHARACTERS = 32_000;
const ID_RULE: StringRule = { min: 1, max: 256 };
const TOOL_CALL_ID_RULE: StringRule = { min: 1, max: 128 };

/**
 * Parses the body of the chat route (interface: Chat request, Chat message). All messages are validated, and only
 * the last one is used. Fields that the interface does not name are ignored.
 * @throws InvalidBody
 */
export function parseChatRequest(body: JsonObject): ChatRequest {
  const messages = asArray(body['messages'], 'messages').map((message, index) =>
    parseMessage(asObject(message, `messages[${index}]`), `messages[${index}]`),
  );
  if (body['stream'] !== true) throw new InvalidBody('stream must be true.');
  const mode = parseMode(body['approval_mode']);
  const sessionId = optionalString(body['session_id'], 'session_id', ID_RULE);
  optionalString(body['model'], 'model', ID_RULE);

  const last = messages.at(-1);
  if (last === undefined) throw new InvalidBody('messages must have at least 1 item.');
  if (last.role === 'user') {
    requiredString(last.text, 'The prompt', { max: MAX_PROMPT_CHARACTERS });
    return { kind: 'prompt', sessionId, mode, text: last.text };
  }
  if (last.role === 'tool' && last.toolCallId !== undefined) {
    if (sessionId === undefined) throw new InvalidBody('A tool message needs session_id.');
    const { toolCallId, text: content } = last;
    const echoes = messages.flatMap((message) => message.echoes ?? []);
    const echo = echoes.findLast(({ id }) => id === toolCallId);
    return { kind: 'answer', sessionId, toolCallId, content, echo };
  }
  throw new InvalidBody('The last message must have role user or tool.');
}

function parseMode(value: unknown): ApprovalMode {
  if (value === undefined) return 'self-drive';
  if (value !== 'manual' && value !== 'self-drive')
    throw new InvalidBody('approval_mode must be manual or self-drive.');

  return value;
}

function parseMessage(message: JsonObject, what: string): Message {
  const { role, content } = message;
  switch (role) {
    case 'system':
    case 'developer':
    case 'user':
      return { role, text: parseContent(content, what) };
    case 'assistant': {
      const echoes = parseEchoes(message['tool_calls'], what);
      return { role, text: parseContent(content ?? '', what), echoes };
    }
    case 'tool': {
      const id = message['tool_call_id'];
      const toolCallId = requiredString(id, `${what}.tool_call_id`, TOOL_CALL_ID_RULE);
      return { role, text: parseContent(content, what), toolCallId };
    }
    default:
      throw new InvalidBody(`${what}.role must be system, developer, user, assistant or tool.`);
  }
}

/** Joins the text parts of a content. Only an assistant's content may be missing or null. */
function parseContent(content: unknown, what: string): string {
  if (typeof content === 'string') return content;
  return asArray(content, `${what}.content (a string or text parts)`)
    .map((part, index) => {
      const name = `${what}.content[${index}]`;
      const { type, text } = asObject(part, name);
      if (type !== 'text') throw new InvalidBody(`${name}.type must be text.`);
      return requiredString(text, `${name}.text`);
    })
    .join('');
}

function parseEchoes(toolCalls: unknown, what: string): EchoedCall[] {
  if (toolCalls === undefined) return [];
  return asArray(toolCalls, `${what}.tool_calls`).map((toolCall, position) => {
    const name = `${what}.tool_calls[${position}]`;
    const { id, index, function: called } = asObject(toolCall, name);
    const { name: functionName, arguments: args } = asObject(called, `${name}.function`);
    return {
      id: requiredString(id, `${name}.id`, TOOL_CALL_ID_RULE),
      index,
      name: requiredString(functionName, `${name}.function.name`),
      arguments: requiredString(args, `${name}.function.arguments`),
    };
  });
}
