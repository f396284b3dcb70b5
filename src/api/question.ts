import * as v from 'valibot';
import { parseJson } from '../base/json.ts';
import { checkToolCallId } from './limits.ts';
import { questionSchema } from './schemas.ts';
import type { Question, ToolCall, UnreadableProblem } from './types.ts';

/** The name of every tool call that is a question. */
export const PROVIDE_INPUT = 'service.provide_input';

/** Reads the question in a tool call (interface: Tool call entry, the shapes of `arguments`). */
export function readQuestion(call: ToolCall): Question {
  if (checkToolCallId(call.id) !== null) return unreadable('id-length');
  if (call.name !== PROVIDE_INPUT) return unreadable('tool-name');
  const fields = parseObject(call.arguments);
  if (fields === null) return unreadable('not-json');
  const read = v.safeParse(questionSchema, fields);
  if (read.success) return read.output;
  return unreadable(read.issues[0].type === 'variant' ? 'unknown-kind' : 'shape');
}

function unreadable(problem: UnreadableProblem): Question {
  return { kind: 'unreadable', problem };
}

function parseObject(json: string): Readonly<Record<string, unknown>> | null {
  const value = parseJson(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}
