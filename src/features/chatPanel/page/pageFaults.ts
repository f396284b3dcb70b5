import { plainLine } from '../../../platform/dialogs/plainText.ts';
import type { Log } from '../../../platform/log/log.ts';

/** Most faults of one page that are logged: one that fails in every frame must not fill the log. */
const mostFaults = 20;
/** Most characters (code points) that are logged of what a page says of a fault. */
const longestFault = 300;

/** Logs what goes wrong in a page. A page shows hostile text, so what it says is cleaned and cut short. */
export class PageFaults {
  readonly #log: Pick<Log, 'error' | 'warn'>;
  #count = 0;

  constructor(log: Pick<Log, 'error' | 'warn'>) {
    this.#log = log;
  }

  /** The page says that it failed. */
  failed(message: string): void {
    if (this.#mayLog())
      this.#log.error('The chat page failed', undefined, plainLine(message, longestFault));
  }

  /** The page sent something that is no message of its own. */
  unreadable(): void {
    if (this.#mayLog()) this.#log.warn('A chat page sent a message that is not one of its own');
  }

  #mayLog(): boolean {
    this.#count += 1;
    if (this.#count === mostFaults + 1)
      this.#log.warn('The chat page goes on failing; no more of it is logged');
    return this.#count <= mostFaults;
  }
}
