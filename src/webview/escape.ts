/** Two presses of Escape within this time, in milliseconds, stop the run. */
const twiceWithin = 1000;

interface EscapeActions {
  /** Closes what lies over the page; returns whether anything did. */
  dismiss(): boolean;
  canStop(): boolean;
  stop(): void;
  focusComposer(): void;
  /** Says that a second press stops the run, for as long as it does. */
  hint(shown: boolean): void;
}

/**
 * Escape closes what is open, else goes to the composer, and pressed twice within a second stops a run that
 * streams. It never takes text away.
 */
export function handleEscape(actions: EscapeActions, signal: AbortSignal): void {
  let pressedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing || event.repeat) return;
    event.preventDefault();
    if (actions.dismiss()) return;
    actions.focusComposer();
    if (!actions.canStop()) return;
    clearTimeout(timer);
    if (event.timeStamp - pressedAt <= twiceWithin) {
      pressedAt = -Infinity;
      actions.hint(false);
      actions.stop();
      return;
    }
    pressedAt = event.timeStamp;
    actions.hint(true);
    timer = setTimeout(() => actions.hint(false), twiceWithin);
  };
  document.addEventListener('keydown', onKey, { signal });
}
