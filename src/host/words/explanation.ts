import type { ApiError, ApiErrorKind } from '../../api/index.ts';
import type { ActionId } from '../../protocol/view.ts';

/** A failure in words: what happened, what to do about it, and what can be done with one click. Plain text, localized. */
export interface Explanation {
  /** One sentence without its full stop. */
  readonly title: string;
  /** One or two sentences: why, and what to do. */
  readonly detail: string;
  /** The service's own sentence, one line of inert text, shortened; empty where there was none. */
  readonly serviceSays: string;
  /** Ways out, the best first. */
  readonly actions: readonly ActionId[];
}

/** What must be known of a failure to explain it; an `ApiError` is one, and so is one kept in a journal. */
export type FailureFacts = Pick<
  ApiError,
  'kind' | 'route' | 'status' | 'reason' | 'message' | 'inStream'
> &
  Partial<Pick<ApiError, 'code'>>;

/** What we say of a failure; the service's own part is added to it. */
export type FailureWords = Omit<Explanation, 'serviceSays'>;

/** Says what a failure of some kinds means. */
export type WordsOf<K extends ApiErrorKind> = Readonly<
  Record<K, (failure: FailureFacts) => FailureWords>
>;
