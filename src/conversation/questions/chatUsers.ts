import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import type { ChatPresence } from './types.ts';

/** What is known of the user at one chat's page. Times are the monotonic clock's, in milliseconds. */
export interface ChatUser extends ChatPresence {
  /** When the page got the keyboard focus last. */
  readonly focusedAt: number;
  /** When a key or a composition step came last. */
  readonly typedAt: number;
}

const NEVER = Number.NEGATIVE_INFINITY;
const ABSENT: ChatUser = {
  focused: false,
  composing: false,
  hasDraft: false,
  focusedAt: NEVER,
  typedAt: NEVER,
};

/** Where users are and what they do there, as the chats' pages report it. */
export class ChatUsers {
  readonly #clock: Clock;
  readonly #users = new Map<string, ChatUser>();
  readonly #changed = new Emitter<void>();

  readonly onDidChange = this.#changed.event;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(conversation: string): ChatUser | undefined {
    return this.#users.get(conversation);
  }

  /** The page reports anew. Undefined where it was hidden or closed: nobody is there. */
  presence(conversation: string, presence: ChatPresence | undefined): void {
    if (presence === undefined) this.#users.delete(conversation);
    else {
      const before = this.#users.get(conversation) ?? ABSENT;
      const focusedAt =
        presence.focused && !before.focused ? this.#clock.monotonic() : before.focusedAt;
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
