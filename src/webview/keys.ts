/** How long VS Code waits for the second key of a chord, in ms. */
const CHORD_TIMEOUT_MS = 5000;
/** Longest time between two presses of Escape that stop the run, in ms. */
const DOUBLE_ESCAPE_MS = 1000;

/**
 * Keeps the second key of a chord such as Ctrl+K A out of the text. VS Code gets only a copy of each key event, so it
 * cannot prevent the default action.
 */
export function handleChords(): void {
  let begunAt = -Infinity;
  const end = (): void => {
    begunAt = -Infinity;
  };
  const onKey = (event: KeyboardEvent): void => {
    if (['Alt', 'Control', 'Meta', 'Shift'].includes(event.key)) return;
    if (event.timeStamp - begunAt < CHORD_TIMEOUT_MS) {
      end();
      event.preventDefault();
    } else if (event.key === 'k' && (isMac() ? event.metaKey : event.ctrlKey)) {
      begunAt = event.timeStamp;
    }
  };
  document.addEventListener('keydown', onKey, { capture: true });
  window.addEventListener('blur', end);
}

/** Returns whether a key opens the find box. On a Mac, Ctrl+F moves the caret. */
export function isFindKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  const hasCommand = isMac() ? metaKey && !ctrlKey : ctrlKey || metaKey;
  return key.toLowerCase() === 'f' && hasCommand && !shiftKey && !altKey;
}

/** Returns whether a key belongs to an input method. */
export function isOfInputMethod(event: KeyboardEvent): boolean {
  // oxlint-disable-next-line typescript/no-deprecated -- In Safari, a composition ends before the Enter that ends it.
  return event.isComposing || event.keyCode === 229;
}

export function isMac(): boolean {
  return navigator.platform.startsWith('Mac');
}

/**
 * Handles Escape. Pressed twice within a second, it may stop the run. It never removes text.
 *
 * @param leave closes what is open, else focuses the composer. Returns whether a second press stops the run
 * @param hint shows or hides the hint about that
 */
export function handleEscape(
  leave: () => boolean,
  stop: () => void,
  hint: (shown: boolean) => void,
): void {
  let pressedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || isOfInputMethod(event) || event.repeat) return;
    event.preventDefault();
    if (!leave()) return;
    clearTimeout(timer);
    if (event.timeStamp - pressedAt <= DOUBLE_ESCAPE_MS) {
      pressedAt = -Infinity;
      hint(false);
      stop();
      return;
    }
    pressedAt = event.timeStamp;
    hint(true);
    timer = setTimeout(() => hint(false), DOUBLE_ESCAPE_MS);
  };
  document.addEventListener('keydown', onKey);
}
