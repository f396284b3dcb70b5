import type { ApiError } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableBase, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { PendingQuestions } from './pendingQuestions.ts';
import type { PagePresence, TrackedQuestion } from './types.ts';

/** How long the keyboard must have been quiet before a dialog may open under it. */
export const QUIET_MS = 1_000;

/** The same while unsent text stands in the composer: its writer may only be thinking. */
export const QUIET_WITH_DRAFT_MS = 3_000;

/** The window around the chats. Times are the monotonic clock's, in milliseconds. */
export interface WindowState {
  readonly isFocused: boolean;
  /** A dialog of this extension is open: a second one would close it. */
  readonly isDialogOpen: boolean;
  /** When the window got the focus, or the last dialog closed: keys may still be on their way to what was there. */
  readonly settledAt: number;
}

/** The user at one chat's page. Times are the monotonic clock's, in milliseconds. */
interface UserActivity extends PagePresence {
  /** When the page got the keyboard focus last. */
  readonly focusedAt: number;
  /** When a key or a composition step came last. */
  readonly typedAt: number;
}

const ABSENT: UserActivity = {
  ...{ focused: false, composing: false, hasDraft: false },
  ...{ focusedAt: -Infinity, typedAt: -Infinity },
};

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
      const before = this.#users.get(conversation) ?? ABSENT;
      const isFresh = presence.focused && !before.focused;
      const focusedAt = isFresh ? this.#clock.monotonic() : before.focusedAt;
      this.#users.set(conversation, { ...before, ...presence, focusedAt });
    }
    this.#changed.fire();
  }

  /** A key or a composition step came in the page. */
  typed(conversation: string): void {
    const before = this.#users.get(conversation) ?? ABSENT;
    this.#users.set(conversation, { ...before, typedAt: this.#clock.monotonic() });
    this.#changed.fire();
  }
}

interface AutoOpenPorts {
  readonly clock: Clock;
  readonly pendingQuestions: Pick<PendingQuestions, 'waiting' | 'onDidChange'>;
  readonly chatPresence: Pick<ChatPresence, 'get' | 'onDidChange'>;
  readonly window: { current(): WindowState; readonly onDidChange: Event<void> };
  /** Opens the dialog of a question. */
  readonly open: (question: string) => void;
}

/**
 * Opens dialogs by itself, the oldest deadline first, when the page of their chat has the keyboard focus and the keyboard
 * is quiet. A palette or another dialog would have taken the focus, so none is replaced.
 *
 * Each question is opened so once: a dialog that was hidden does not come back by itself, unless the service refused
 * the answer that its user gave in it.
 */
export class AutoOpener extends DisposableBase {
  readonly #ports: AutoOpenPorts;
  /** The questions that were opened, each with the refusal that its dialog told of. */
  readonly #opened = new Map<string, ApiError | null>();
  #timer: Disposable | undefined;

  constructor(ports: AutoOpenPorts) {
    super();
    this.#ports = ports;
    const consider = () => this.#consider();
    this.own(
      ports.pendingQuestions.onDidChange(({ question, isShown, error, ending }) => {
        if (isShown) this.#opened.set(question.id, error);
        else if (ending !== null) this.#opened.delete(question.id);
        this.#consider();
      }),
    );
    this.own(ports.chatPresence.onDidChange(consider));
    this.own(ports.window.onDidChange(consider));
    this.own({ dispose: () => this.#timer?.dispose() });
    consider();
  }

  /** Milliseconds until the dialog of a question opens if nothing changes; undefined if it would not. */
  opensIn({ question, error, isLate }: TrackedQuestion): number | undefined {
    if (isLate || this.#opened.get(question.id) === error) return undefined;
    const user = this.#ports.chatPresence.get(question.conversation);
    const { isFocused, isDialogOpen, settledAt } = this.#ports.window.current();
    if (user?.focused !== true || user.composing || !isFocused || isDialogOpen) return undefined;
    const quietSince = Math.max(user.typedAt, user.focusedAt, settledAt);
    const at = quietSince + (user.hasDraft ? QUIET_WITH_DRAFT_MS : QUIET_MS);
    return Math.max(at - this.#ports.clock.monotonic(), 0);
  }

  #consider(): void {
    this.#timer?.dispose();
    if (this.isDisposed) return;
    let soonest = Infinity;
    for (const tracked of this.#ports.pendingQuestions.waiting()) {
      const wait = this.opensIn(tracked);
      if (wait === 0) {
        this.#opened.set(tracked.question.id, tracked.error);
        this.#ports.open(tracked.question.id);
        return;
      }
      soonest = Math.min(soonest, wait ?? soonest);
    }
    if (soonest < Infinity)
      this.#timer = this.#ports.clock.setTimeout(() => this.#consider(), Math.ceil(soonest));
  }
}
