import * as v from 'valibot';
import { isObject, parseJson } from '../base/json.ts';
import { checkToolCallId } from './limits.ts';
import { questionSchema } from './schemas.ts';
import type { Question, ToolCall, UnreadableProblem } from './types.ts';

/** The name of every tool call that is a question. */
export const PROVIDE_INPUT = 'service.provide_input';

/** Reads the question in a tool call (interface: Tool call entry, the shapes of `arguments`). */
export function readQuestion(call: ToolCall): Question {
  if (checkToolCallId(call.id) !== null) return unreadable('id-length');
  if (call.name !== PROVIDE_INPUT) return unreadable('tool-name');
  const fields = parseJson(call.arguments);
  if (!isObject(fields)) return unreadable('not-json');
  const read = v.safeParse(questionSchema, fields);
  if (read.success) return read.output;
  return unreadable(read.issues[0].type === 'variant' ? 'unknown-kind' : 'shape');
}

function unreadable(problem: UnreadableProblem): Question {
  return { kind: 'unreadable', problem };
}
