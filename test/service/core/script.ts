import type { ApprovalMode } from './chatRequest.ts';
import type { Answer, Interaction } from './interactions.ts';
import type { InStreamReason, Problem } from './problems.ts';
import type { UsageReport } from './usage.ts';

export type Step =
  | { do: 'say'; text: string }
  | { do: 'think'; text: string }
  /**
   * Pauses the run with questions. `meanwhile` is output produced during the pause and streamed after it. The first
   * answers are refused inside their streams, one for each reason in `refusals`. Indexes of tool calls start at
   * `firstIndex`, by default 0.
   */
  | {
      do: 'ask';
      interactions: readonly Interaction[];
      firstIndex?: number;
      meanwhile?: string;
      refusals?: readonly InStreamReason[];
    }
  /** Waits for `ms` of the service's clock. */
  | { do: 'wait'; ms: number }
  /** Starts the response and writes nothing more, except keepalives unless the intern is `dead`. */
  | { do: 'stall'; dead: boolean }
  | { do: 'break off' }
  /** Refuses the turn with an HTTP status, before any output. */
  | { do: 'refuse'; problem: Problem }
  /** Does not respond at all, before any output. */
  | { do: 'ignore' }
  /** Fails inside the stream; `early` is before the intern reports a session. */
  | { do: 'fail'; reason: InStreamReason; message: string; early: boolean }
  /** Changes what the final chunks of the turn report. */
  | { do: 'report'; report: Report };

export interface Report {
  usage: UsageReport;
  model: boolean;
  /** The finish reason; `stop` by default. */
  finish?: string;
}

/** The steps of a turn. `ask` returns the accepted answer; other steps return undefined. */
export type Script = Generator<Step, undefined, Answer | undefined>;

export interface Turn {
  prompt: string;
  mode: ApprovalMode;
  internName: string;
  /** Earlier prompts of the session, oldest first. */
  earlier: readonly string[];
  /** Returns whether the vault would release a secret to a hostname. */
  canUseSecret: (name: string, hostname: string) => boolean;
}

export type Brain = (turn: Turn) => Script;
