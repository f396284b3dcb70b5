import { scriptedBrain } from '../../service/scripts/prompts.ts';
import type { Brain } from '../../service/service.ts';

/** Streams words for the prompt `work` until the test calls `open`. */
export class Gate {
  #openings = 0;

  readonly brain: Brain = (turn) => (turn.prompt === 'work' ? this.#work() : scriptedBrain(turn));

  /** Ends the runs of `work`. */
  open(): void {
    this.#openings += 1;
  }

  *#work(): ReturnType<Brain> {
    const begun = this.#openings;
    while (this.#openings === begun) {
      yield { do: 'say', text: 'steady ' };
      yield { do: 'wait', ms: 100 };
    }
    return undefined;
  }
}
