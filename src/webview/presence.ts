import { post } from './connection.ts';

/** The shortest time between two messages about keys, in ms. */
const TYPED_INTERVAL_MS = 250;

/**
 * Reports whether the page is in use and whether its user is typing. Otherwise the host might open the dialog of a
 * question, and a key that was meant for the page could answer it. Returns a function that reports it again.
 */
export function watchPresence(focusedMessage: () => string | null): () => void {
  let composing = false;
  /** Runs for {@link TYPED_INTERVAL_MS} after each message about a key. */
  let pause: ReturnType<typeof setTimeout> | undefined;
  let typedDuringPause = false;

  const send = (typed: boolean): void =>
    post('presence', {
      visible: !document.hidden,
      focused: document.hasFocus(),
      composing,
      typed,
      message: focusedMessage(),
    });
  const report = (): void => send(false);
  /** Reports a key now, or after the pause. The host needs the time of the last key. */
  const handleTyping = (): void => {
    typedDuringPause = pause !== undefined;
    if (typedDuringPause) return;
    send(true);
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
  return report;
}
