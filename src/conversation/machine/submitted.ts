import { REASONS, redactor } from '../../api/index.ts';
import type { EntryBody } from '../journal.ts';

/** Withholds what the service says in an entry if that repeats a submitted value. */
export function withoutSubmitted(entry: EntryBody, submitted: readonly string[]): EntryBody {
  if (!('failure' in entry) || entry.failure === undefined) return entry;
  const { failure } = entry;
  const { message, reason } = failure;
  return {
    ...entry,
    failure: {
      ...failure,
      message: redactor({ values: submitted })(message),
      ...(reason !== undefined && {
        reason: redactor({ values: submitted, names: REASONS })(reason),
      }),
    },
  };
}
