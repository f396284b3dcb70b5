import * as v from 'valibot';
import {
  checkDescription,
  checkInstructions,
  checkInternName,
  type LengthProblem,
  type NameProblem,
} from '../../api/index.ts';
import { parseJson } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';

/** An intern as a `.intern.json` file describes it (internFileSchema.ts). */
export interface InternFile {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
  readonly provision: boolean;
  /** Null where the file is for any workspace. */
  readonly workspaceId: string | null;
}

/** What is wrong with such a file, the first thing only. */
export type InternFileProblem =
  | { readonly kind: 'not-json' }
  /** A field is missing, of another type, or none that there is; empty for the whole. */
  | { readonly kind: 'field'; readonly field: string }
  | { readonly kind: 'name'; readonly problem: NameProblem }
  | {
      readonly kind: 'length';
      readonly field: 'description' | 'instructions';
      readonly problem: LengthProblem;
    };

const schema = v.strictObject({
  $schema: v.optional(v.string()),
  name: v.string(),
  description: v.nullish(v.string(), ''),
  instructions: v.nullish(v.string(), ''),
  provision: v.optional(v.boolean(), false),
  workspace_id: v.optional(v.pipe(v.string(), v.minLength(1))),
});

/** Reads the text of a `.intern.json` file by the rules of the interface (POST /interns). */
export function readInternFile(text: string): Result<InternFile, InternFileProblem> {
  const json = parseJson(text.replace(/^\ufeff/, ''));
  if (json === undefined) return err({ kind: 'not-json' });
  if (Array.isArray(json)) return err({ kind: 'field', field: '' });
  const parsed = v.safeParse(schema, json);
  if (!parsed.success) return err({ kind: 'field', field: v.getDotPath(parsed.issues[0]) ?? '' });
  const { name, description, instructions, provision, workspace_id: workspaceId } = parsed.output;
  const nameProblem = checkInternName(name);
  if (nameProblem !== null) return err({ kind: 'name', problem: nameProblem });
  const lengths = {
    description: checkDescription(description),
    instructions: checkInstructions(instructions),
  };
  for (const field of ['description', 'instructions'] as const) {
    const problem = lengths[field];
    if (problem !== null) return err({ kind: 'length', field, problem });
  }
  return ok({ name, description, instructions, provision, workspaceId: workspaceId ?? null });
}
