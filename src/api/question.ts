import * as v from 'valibot';
import { isObject, parseJson } from '../base/json.ts';
import { checkToolCallId, MAX_QUESTION_ROWS } from './limits.ts';
import { questionSchema } from './schemas.ts';
import type { Question, ReadableQuestion, ToolCall, UnreadableProblem } from './types.ts';

/** The name of every tool call that is a question. */
export const PROVIDE_INPUT = 'service.provide_input';

/** Reads the question in a tool call (interface: Tool call entry, the shapes of `arguments`). */
export function readQuestion(call: ToolCall): Question {
  if (checkToolCallId(call.id) !== null) return unreadable('id-length');
  if (call.name !== PROVIDE_INPUT) return unreadable('tool-name');
  const fields = parseJson(call.arguments);
  if (!isObject(fields)) return unreadable('not-json');
  const read = v.safeParse(questionSchema, fields);
  if (!read.success)
    return unreadable(read.issues[0].type === 'variant' ? 'unknown-kind' : 'shape');
  return rowCount(read.output) > MAX_QUESTION_ROWS ? unreadable('too-large') : read.output;
}

/** Counts the options of a permission, or the fields of an elicitation and their options. */
function rowCount(question: ReadableQuestion): number {
  if (question.kind === 'permission') return question.options.length;
  return question.fields.reduce((sum, { options }) => sum + 1 + options.length, 0);
}

function unreadable(problem: UnreadableProblem): Question {
  return { kind: 'unreadable', problem };
}
