import type { Interaction } from '../../service/core/interactions.ts';
import type { Brain } from '../../service/service.ts';

/** An intern that asks whatever stands in the prompt as JSON, and then says, as JSON, what it was answered. */
export const askingBrain: Brain = function* ({ prompt }) {
  const interactions = JSON.parse(prompt) as readonly Interaction[];
  const answer = yield { do: 'ask', interactions };
  yield { do: 'say', text: JSON.stringify(answer ?? null) };
  return undefined;
};

/** The prompt that has such an intern ask. */
export function asking(...interactions: readonly Interaction[]): string {
  return JSON.stringify(interactions);
}
