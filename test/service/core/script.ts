import type { ApprovalMode } from './chatRequest.ts';
import type { Answer, Interaction } from './interactions.ts';
import type { InStreamReason, Problem } from './problems.ts';
import type { UsageReport } from './usage.ts';

/** One thing that an intern does in a turn. */
export type Step =
  | { do: 'say'; text: string }
  | { do: 'think'; text: string }
  /**
   * Pauses the run; `meanwhile` is output that the intern produces while it waits, in order to stream it afterwards. The
   * first replies are refused inside their streams, each with its reason of `refusals`. The tool calls count up from
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
  /** Starts the response and then says nothing more; keepalives go on, unless the intern is `dead`. */
  | { do: 'stall'; dead: boolean }
  /** The network cuts the connection to the client. */
  | { do: 'break off' }
  /** Before any output: the turn is refused with an HTTP status. */
  | { do: 'refuse'; problem: Problem }
  /** Before any output: the intern does not answer at all. */
  | { do: 'ignore' }
  /** The turn fails inside the stream; `early` is before the intern reported a session. */
  | { do: 'fail'; reason: InStreamReason; code: number; message: string; early: boolean };

/** What a turn reports beside its text. */
export interface Report {
  usage: UsageReport;
  /** Whether the intern reports which model it ran. */
  model: boolean;
  /** A finish reason that the interface does not list; `stop` if left out. */
  finish?: string;
}

/** A turn, step by step. An `ask` returns the answer that the intern accepted; every other step returns undefined. */
export type Script = Generator<Step, Report | undefined, Answer | undefined>;

/** What a script may know of the turn that it plays. */
export interface Turn {
  prompt: string;
  mode: ApprovalMode;
  internName: string;
  /** The prompts of this session before this one, oldest first. */
  earlier: readonly string[];
  /** Whether the vault would release a secret to a hostname. */
  canUseSecret: (name: string, hostname: string) => boolean;
}

/** Chooses what an intern does with a prompt. */
export type Brain = (turn: Turn) => Script;
