/** How long VS Code waits for the second key of a chord, in milliseconds. */
const chordTime = 5000;
/** Two presses of Escape within this time, in milliseconds, stop the run. */
const twiceWithin = 1000;

/**
 * Keeps the second key of a chord such as Ctrl+K A out of the text: VS Code is given a copy of each key that is pressed
 * in the page, and cannot take back what the key itself does here.
 */
export function handleChords(): void {
  const isMac = navigator.platform.startsWith('Mac');
  let begunAt = -Infinity;
  const end = (): void => {
    begunAt = -Infinity;
  };
  const onKey = (event: KeyboardEvent): void => {
    if (['Alt', 'Control', 'Meta', 'Shift'].includes(event.key)) return;
    if (event.timeStamp - begunAt < chordTime) {
      end();
      event.preventDefault();
    } else if (event.key === 'k' && (isMac ? event.metaKey : event.ctrlKey)) {
      begunAt = event.timeStamp;
    }
  };
  document.addEventListener('keydown', onKey, { capture: true });
  window.addEventListener('blur', end);
}

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
export function handleEscape(actions: EscapeActions): void {
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
  document.addEventListener('keydown', onKey);
}
