import { scriptedBrain } from '../../service/scripts/prompts.ts';
import type { Brain } from '../../service/service.ts';

/** Holds back the end of the prompt `work`, which says words until the test lets it end: no test guesses how long it needs. */
export class Gate {
  #openings = 0;

  readonly brain: Brain = (turn) => (turn.prompt === 'work' ? this.#work() : scriptedBrain(turn));

  /** Lets all runs end that are under way. */
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
