import type { InternDraft } from '../../api/index.ts';

/** What the create dialog gathers. */
export interface CreateValues {
  readonly name: string;
  readonly description: string;
  /** Where the instructions come from; undefined until it was chosen. */
  readonly source: InstructionsSource | undefined;
  readonly instructions: string;
  /** Undefined until it was chosen. */
  readonly provision: boolean | undefined;
}

/** `file` was picked by the user; `intern-file` is a `.intern.json` file, whose instructions the user may not know. */
export type InstructionsSource = 'none' | 'editor' | 'file' | 'intern-file';

export const emptyValues: CreateValues = {
  name: '',
  description: '',
  source: undefined,
  instructions: '',
  provision: undefined,
};

/** The ids of the dialog's steps, in their order. */
export type CreateStep = 'name' | 'description' | 'instructions' | 'provision';

/** What the values ask the service for. Instructions that were written and then given up stay out of it. */
export function toDraft({
  name,
  description,
  source,
  instructions,
  provision,
}: CreateValues): InternDraft {
  return {
    name,
    description: description.trim() === '' ? null : description,
    instructions: source === 'none' || instructions.trim() === '' ? null : instructions,
    provision: provision === true,
  };
}
