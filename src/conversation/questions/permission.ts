import { PERMISSION_OPTIONS, type Question } from '../../api/index.ts';

/** What every permission may be answered with, whatever was offered (interface: Tool reply contents). */
export const CANCEL = 'cancel';

/** The option that rejects this time alone. */
export const REJECT_ONCE = 'reject_once';

/**
 * The rows of a permission dialog: the kinds that were offered, the listed ones first and in the interface's order, then
 * unknown ones verbatim and in the order offered, then {@link CANCEL}. Repeated kinds come once.
 */
export function permissionChoices(
  question: Extract<Question, { kind: 'permission' }>,
): readonly string[] {
  const offered = new Set(question.options.filter((option) => option !== CANCEL));
  const known: readonly string[] = PERMISSION_OPTIONS.filter((option) => offered.has(option));
  const unknown = [...offered].filter((option) => !known.includes(option));
  return [...known, ...unknown, CANCEL];
}

/** Whether an answer may let the operation run: one that is not known has to be taken as if it did. */
export function mayAllow(choice: string): boolean {
  return choice !== CANCEL && choice !== REJECT_ONCE && choice !== 'reject_always';
}
