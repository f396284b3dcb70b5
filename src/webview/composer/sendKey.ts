import type { PageStrings } from '../../protocol/strings.ts';
import type { SendWith } from '../../protocol/view.ts';

/** Which key sends what is written in the page, and which one makes a new line of it. */
export class SendKey {
  with: SendWith = 'enter';

  isPressed({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
    if (key !== 'Enter' || shiftKey || altKey) return false;
    return this.with === 'enter' || ctrlKey || metaKey;
  }

  hint(strings: PageStrings): string {
    if (this.with === 'enter') return strings.composerHint;
    const isMac = navigator.platform.startsWith('Mac');
    return isMac ? strings.composerHintCommand : strings.composerHintCtrl;
  }
}
