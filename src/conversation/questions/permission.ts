import { PERMISSION_OPTIONS, type Question } from '../../api/index.ts';

/** Always allowed as an answer (interface: Tool reply contents). */
export const CANCEL_CHOICE = 'cancel';

export const REJECT_ONCE_CHOICE = 'reject_once';

/**
 * Returns the rows of a permission dialog: the offered kinds, the known ones first and in the API's order, then the
 * unknown ones verbatim, then {@link CANCEL_CHOICE}.
 */
export function permissionChoices(
  question: Extract<Question, { kind: 'permission' }>,
): readonly string[] {
  const offered = new Set(question.options.filter((option) => option !== CANCEL_CHOICE));
  const known: readonly string[] = PERMISSION_OPTIONS.filter((option) => offered.has(option));
  const unknown = [...offered].filter((option) => !known.includes(option));
  return [...known, ...unknown, CANCEL_CHOICE];
}

/** Returns whether an answer may allow the operation. An unknown one counts as if it did. */
export function mayAllow(choice: string): boolean {
  return choice !== CANCEL_CHOICE && choice !== REJECT_ONCE_CHOICE && choice !== 'reject_always';
}
