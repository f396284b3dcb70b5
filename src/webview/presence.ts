import type { Post } from './connection.ts';

/** The shortest time between two `typed` messages, in ms. */
const TYPED_INTERVAL_MS = 250;

export interface Presence {
  /** Sends the presence if it has changed. */
  report(): void;
  /** Sends the presence to a host that may not have received it. */
  repeat(): void;
}

/**
 * Tells the host whether the page is in use and whether its user is typing. The host opens no question dialog in which a
 * key meant for the page could be an answer.
 */
export function watchPresence(post: Post, hasDraft: () => boolean): Presence {
  let composing = false;
  let announced = '';
  /** Runs for {@link TYPED_INTERVAL_MS} after each `typed` message. */
  let pause: ReturnType<typeof setTimeout> | undefined;
  let typedDuringPause = false;

  const report = (): void => {
    const visible = !document.hidden;
    const presence = { visible, focused: document.hasFocus(), composing, hasDraft: hasDraft() };
    const state = JSON.stringify(presence);
    if (state === announced) return;
    announced = state;
    post('presence', presence);
  };
  const repeat = (): void => {
    announced = '';
    report();
  };
  /** Reports a key now, or after the pause. The host needs the time of the last key. */
  const handleTyping = (): void => {
    typedDuringPause = pause !== undefined;
    if (typedDuringPause) return;
    post('typed', {});
    pause = setTimeout(() => {
      pause = undefined;
      if (typedDuringPause) handleTyping();
    }, TYPED_INTERVAL_MS);
  };
  const handleComposition = ({ type }: Event): void => {
    composing = type === 'compositionstart';
    handleTyping();
    report();
  };

  const listen = (types: readonly string[], handle: (event: Event) => void): void => {
    for (const type of types) document.addEventListener(type, handle, { capture: true });
  };
  for (const type of ['focus', 'blur']) window.addEventListener(type, report);
  listen(['focusout', 'visibilitychange'], report);
  // A text area that was removed does not say that its composition has ended.
  listen(['focusin'], () => {
    composing = false;
    report();
  });
  listen(['keydown', 'compositionupdate', 'beforeinput'], handleTyping);
  listen(['compositionstart', 'compositionend'], handleComposition);
  return { report, repeat };
}
