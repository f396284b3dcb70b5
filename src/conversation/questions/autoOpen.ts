import type { ApiError } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableBase, type Disposable, Emitter, type Event } from '../../base/disposable.ts';
import type { PendingQuestions, TrackedQuestion } from './pendingQuestions.ts';
import type { PagePresence } from './types.ts';

/** How long the keyboard must be quiet before a dialog may open, in ms. */
export const TYPING_PAUSE_MS = 1_000;

/** The same while the composer has unsent text, in ms: its writer may be thinking. */
export const TYPING_PAUSE_WITH_DRAFT_MS = 3_000;

export interface WindowState {
  readonly isFocused: boolean;
  /** True if a dialog of this extension is open, which a second one would close. */
  readonly isDialogOpen: boolean;
  /** When the window got the focus or the last dialog closed, on the monotonic clock. */
  readonly settledAt: number;
}

/** The user at the page of a chat. Times are on the monotonic clock, in ms. */
interface UserActivity extends PagePresence {
  readonly focusedAt: number;
  /** The last key or composition step. */
  readonly typedAt: number;
}

/** The focus and the typing in each chat, as its page reports them. */
export class ChatPresence {
  readonly #clock: Clock;
  readonly #users = new Map<string, UserActivity>();
  readonly #changed = new Emitter<void>();

  readonly onDidChange = this.#changed.event;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(conversation: string): UserActivity | undefined {
    return this.#users.get(conversation);
  }

  /** Stores what the page reports; undefined if it is hidden or closed. */
  update(conversation: string, presence: PagePresence | undefined): void {
    if (presence === undefined) this.#users.delete(conversation);
    else {
      const now = this.#clock.monotonic();
      const before = this.#users.get(conversation);
      this.#users.set(conversation, {
        ...presence,
        focusedAt: before?.focused === true ? before.focusedAt : now,
        typedAt: presence.typed ? now : (before?.typedAt ?? -Infinity),
      });
    }
    this.#changed.fire();
  }
}

export interface AutoOpenPorts {
  readonly clock: Clock;
  readonly pendingQuestions: Pick<PendingQuestions, 'listWaiting' | 'onDidChange'>;
  readonly chatPresence: Pick<ChatPresence, 'get' | 'onDidChange'>;
  readonly drafts: {
    /** Returns what is written in a conversation and not sent. */
    get(conversation: string): { readonly text: string };
    readonly onDidChange: Event<void>;
  };
  readonly window: { current(): WindowState; readonly onDidChange: Event<void> };
  readonly open: (question: string) => void;
}

/**
 * Opens the dialog of a question, earliest deadline first, while the page of its chat has the focus and the keyboard is
 * quiet. A hidden dialog opens again only if the service refused the answer that was given in it.
 */
export class AutoOpener extends DisposableBase {
  readonly #ports: AutoOpenPorts;
  /** The questions that were opened, each with the refusal that its dialog showed. */
  readonly #opened = new Map<string, ApiError | null>();
  #timer: Disposable | undefined;

  constructor(ports: AutoOpenPorts) {
    super();
    this.#ports = ports;
    const consider = () => this.#openOrSchedule();
    this.own(
      ports.pendingQuestions.onDidChange(({ question, isShown, error, ending }) => {
        if (isShown) this.#opened.set(question.id, error);
        else if (ending !== null) this.#opened.delete(question.id);
        this.#openOrSchedule();
      }),
    );
    this.own(ports.chatPresence.onDidChange(consider));
    this.own(ports.drafts.onDidChange(consider));
    this.own(ports.window.onDidChange(consider));
    this.own({ dispose: () => this.#timer?.dispose() });
    consider();
  }

  /** Returns the ms until the dialog of a question opens if nothing changes; undefined if it would not. */
  opensInMs({ question, error, isLate }: TrackedQuestion): number | undefined {
    if (isLate || this.#opened.get(question.id) === error) return undefined;
    const user = this.#ports.chatPresence.get(question.conversation);
    const { isFocused, isDialogOpen, settledAt } = this.#ports.window.current();
    if (user?.focused !== true || user.composing || !isFocused || isDialogOpen) return undefined;
    const quietSince = Math.max(user.typedAt, user.focusedAt, settledAt);
    const hasDraft = this.#ports.drafts.get(question.conversation).text !== '';
    const at = quietSince + (hasDraft ? TYPING_PAUSE_WITH_DRAFT_MS : TYPING_PAUSE_MS);
    return Math.max(at - this.#ports.clock.monotonic(), 0);
  }

  #openOrSchedule(): void {
    this.#timer?.dispose();
    if (this.isDisposed) return;
    let soonest = Infinity;
    for (const tracked of this.#ports.pendingQuestions.listWaiting()) {
      const wait = this.opensInMs(tracked);
      if (wait === 0) {
        this.#opened.set(tracked.question.id, tracked.error);
        this.#ports.open(tracked.question.id);
        return;
      }
      soonest = Math.min(soonest, wait ?? soonest);
    }
    if (soonest < Infinity)
      this.#timer = this.#ports.clock.setTimeout(() => this.#openOrSchedule(), Math.ceil(soonest));
  }
}
