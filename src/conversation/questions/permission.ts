import { PERMISSION_OPTIONS, type Question } from '../../api/index.ts';

/** Always allowed as an answer (interface: Tool reply contents). */
export const CANCEL = 'cancel';

export const REJECT_ONCE = 'reject_once';

/**
 * Returns the rows of a permission dialog: the offered kinds, the known ones first and in the interface's order, then the
 * unknown ones verbatim, then {@link CANCEL}.
 */
export function permissionChoices(
  question: Extract<Question, { kind: 'permission' }>,
): readonly string[] {
  const offered = new Set(question.options.filter((option) => option !== CANCEL));
  const known: readonly string[] = PERMISSION_OPTIONS.filter((option) => offered.has(option));
  const unknown = [...offered].filter((option) => !known.includes(option));
  return [...known, ...unknown, CANCEL];
}

/** Returns whether an answer may allow the operation. An unknown one counts as if it did. */
export function mayAllow(choice: string): boolean {
  return choice !== CANCEL && choice !== REJECT_ONCE && choice !== 'reject_always';
}
