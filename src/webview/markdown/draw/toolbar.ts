/**
 * Moves the focus along the buttons of a toolbar with the arrow keys, Home and End. Tab reaches one of them, so that
 * hundreds of blocks of code are not as many times all of their buttons.
 */
export function handleToolbarKey(event: KeyboardEvent): void {
  const { target } = event;
  const toolbar = target instanceof Element ? target.closest('[role=toolbar]') : null;
  if (toolbar === null) return;
  const buttons = [...toolbar.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === target);
  const next = buttons.at(nextIndex(event.key, at, buttons.length));
  if (next === undefined || next === target) return;
  event.preventDefault();
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}

function nextIndex(key: string, at: number, count: number): number {
  switch (key) {
    case 'ArrowLeft':
      return at - 1;
    case 'ArrowRight':
      return (at + 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return at;
  }
}
