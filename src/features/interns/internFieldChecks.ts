import {
  checkDescription,
  checkInstructions,
  checkInternId,
  checkInternName,
} from '../../api/index.ts';
import {
  internIdSentence,
  internNameSentence,
  lengthSentence,
} from '../../platform/words/limits.ts';

/** The checks of the boxes that ask about an intern: one sentence for what is wrong, undefined where nothing is. */

export function internNameProblem(name: string): string | undefined {
  return describe(checkInternName(name), internNameSentence);
}

export function descriptionProblem(description: string): string | undefined {
  return describe(checkDescription(description), lengthSentence);
}

export function instructionsProblem(instructions: string): string | undefined {
  return describe(checkInstructions(instructions), lengthSentence);
}

/** White space around the id, as pasting leaves it, does not count. */
export function internIdProblem(typed: string): string | undefined {
  return describe(checkInternId(typed.trim()), internIdSentence);
}

function describe<P>(problem: P | null, sentence: (problem: P) => string): string | undefined {
  return problem === null ? undefined : sentence(problem);
}
