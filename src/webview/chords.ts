/** How long VS Code waits for the second key of a chord, in milliseconds. */
const chordTime = 5000;

/**
 * Keeps the second key of a chord such as Ctrl+K A out of the text: VS Code is given a copy of each key that is pressed
 * in the page, and cannot take back what the key itself does here.
 */
export function handleChords(signal: AbortSignal): void {
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
  document.addEventListener('keydown', onKey, { signal, capture: true });
  window.addEventListener('blur', end, { signal });
}
