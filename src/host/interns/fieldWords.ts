import { l10n } from 'vscode';
import {
  checkDescription,
  checkInstructions,
  checkInternId,
  checkInternName,
  type LengthProblem,
  type NameProblem,
} from '../../api/index.ts';

/** What is wrong with the name of an intern, in one sentence; undefined where nothing is. */
export function internNameProblem(name: string): string | undefined {
  const problem = checkInternName(name);
  return problem === null ? undefined : internNameWords(problem);
}

/** What is wrong with the description of an intern. */
export function descriptionProblem(description: string): string | undefined {
  const problem = checkDescription(description);
  return problem === null
    ? undefined
    : tooLong(problem, (length, max) =>
        l10n.t('The description has {0} characters; {1} are allowed.', length, max),
      );
}

/** What is wrong with the instructions of an intern. */
export function instructionsProblem(instructions: string): string | undefined {
  const problem = checkInstructions(instructions);
  return problem === null
    ? undefined
    : tooLong(problem, (length, max) =>
        l10n.t('The instructions have {0} characters; {1} are allowed.', length, max),
      );
}

/** What is wrong with the id of an intern as typed; white space around it does not count. */
export function internIdProblem(typed: string): string | undefined {
  const problem = checkInternId(typed.trim());
  switch (problem?.kind) {
    case undefined:
      return undefined;
    case 'empty':
      return l10n.t('Enter the id of the intern.');
    case 'white-space':
      return l10n.t('An id holds no spaces.');
    case 'not-a-path-segment':
      return l10n.t('This cannot be the id of an intern.');
  }
}

function internNameWords(problem: NameProblem): string {
  switch (problem.kind) {
    case 'empty':
      return l10n.t('Enter a name.');
    case 'too-short':
      return l10n.t('A name has at least {0} characters.', problem.min);
    case 'too-long':
      return l10n.t('The name has {0} characters; {1} are allowed.', problem.length, problem.max);
    case 'start':
      return l10n.t('A name starts with a lowercase letter.');
    case 'uppercase':
      return l10n.t(
        '“{0}” is a capital letter; a name has lowercase ones only.',
        problem.character,
      );
    case 'character':
      return problem.character.trim() === ''
        ? l10n.t('A name holds no spaces; use “-” instead.')
        : l10n.t(
            '“{0}” cannot be in a name: lowercase letters, digits and “-” can.',
            problem.character,
          );
    case 'double-separator':
      return l10n.t('Two “-” next to each other cannot be in a name.');
    case 'trailing-separator':
      return l10n.t('A name cannot end with “-”.');
  }
}

function tooLong(
  problem: LengthProblem,
  words: (length: string, max: string) => string,
): string | undefined {
  if (problem.kind !== 'too-long') return undefined;
  const format = new Intl.NumberFormat();
  return words(format.format(problem.length), format.format(problem.max));
}
