import type { Interaction } from '../../service/core/interactions.ts';
import type { Brain } from '../../service/service.ts';

/** An intern that asks the questions in the prompt, and replies with the answer, both as JSON. */
export const askingBrain: Brain = function* ({ prompt }) {
  const interactions = JSON.parse(prompt) as readonly Interaction[];
  const answer = yield { do: 'ask', interactions };
  yield { do: 'say', text: JSON.stringify(answer ?? null) };
  return undefined;
};

/** Returns a prompt for {@link askingBrain}. */
export function asking(...interactions: readonly Interaction[]): string {
  return JSON.stringify(interactions);
}
