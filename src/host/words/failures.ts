import type { ApiError } from '../../api/index.ts';
import type { ActionId } from '../../protocol/view.ts';

/** A failure in words: what happened, what to do about it, and what can be done with one click. Plain text, localized. */
export interface Explanation {
  /** One sentence without its full stop. */
  readonly title: string;
  /** One or two sentences: why, and what to do. */
  readonly detail: string;
  /** The service's own sentence, one line of plain text, shortened; empty where there was none. */
  readonly serviceSays: string;
  /** Ways out, the best first. */
  readonly actions: readonly ActionId[];
}

/** What {@link explainFailure} must know of a failure; an `ApiError` is one, and so is one kept in a journal. */
export type FailureFacts = Pick<
  ApiError,
  'kind' | 'route' | 'status' | 'reason' | 'message' | 'inStream'
>;

/** Puts a failure into words. */
export function explainFailure(failure: FailureFacts): Explanation {
  return { title: failure.kind, detail: '', serviceSays: failure.message, actions: [] };
}
