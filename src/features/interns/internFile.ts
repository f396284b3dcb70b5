import * as v from 'valibot';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { MAX_BODY_BYTES } from '../../api/index.ts';
import { parseJson } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { UriTarget } from '../../platform/commands/ids.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { readCurrentText } from '../../platform/dialogs/takeText.ts';
import { UserError } from '../../platform/text/reportFailure.ts';
import {
  descriptionProblem,
  instructionsProblem,
  internNameProblem,
  type CreateValues,
} from './createDialog.ts';

/** A `.intern.json` file (media/intern.schema.json). Without `workspace_id` it is for any workspace. */
const schema = v.strictObject({
  $schema: v.optional(v.string()),
  name: v.string(),
  description: v.nullish(v.string(), ''),
  instructions: v.nullish(v.string(), ''),
  provision: v.optional(v.boolean(), false),
  workspace_id: v.optional(v.pipe(v.string(), v.minLength(1))),
});

type InternFile = Omit<v.InferOutput<typeof schema>, '$schema'>;

/** Reads the text of a file. The error is one sentence about the first problem (interface: POST /interns). */
export function readInternFile(text: string): Result<InternFile, string> {
  const json = parseJson(text.replace(/^\ufeff/, ''));
  if (json === undefined)
    return err(l10n.t('The file isn’t valid JSON. The editor marks the error.'));
  const parsed = v.safeParse(schema, Array.isArray(json) ? null : json);
  if (!parsed.success) return err(issueMessage(parsed.issues[0]));
  const { name, description, instructions, provision, workspace_id } = parsed.output;
  const problems = {
    name: internNameProblem(name),
    description: descriptionProblem(description),
    instructions: instructionsProblem(instructions),
  };
  for (const [field, problem] of Object.entries(problems))
    if (problem !== undefined) return err(l10n.t('“{0}”: {1}', field, problem));
  return ok({ name, description, instructions, provision, workspace_id });
}

function issueMessage(issue: v.InferIssue<typeof schema>): string {
  const path = v.getDotPath(issue);
  if (path === null)
    return l10n.t('The file doesn’t describe an intern. It must contain a JSON object.');
  const field = plainLine(path, 60);
  if (issue.received === 'undefined') return l10n.t('“{0}” is missing.', field);
  if (issue.expected === 'never') return l10n.t('“{0}” isn’t a known field.', field);
  return l10n.t('“{0}” has an invalid value.', field);
}

/**
 * Reads the initial values of the create dialog from a file: the given one, else the one in the active editor.
 *
 * @param workspace the ID of the account's workspace
 * @throws UserError for a file that cannot be read or is for another workspace
 */
export async function valuesOfFile(
  target: UriTarget | undefined,
  workspace: string,
): Promise<CreateValues> {
  const uri = target === undefined ? activeUri() : vscode.Uri.from(target);
  const text = await readCurrentText(uri, MAX_BODY_BYTES);
  const file = text.ok ? readInternFile(text.value) : text;
  if (!file.ok) throw new UserError(file.error);
  const { workspace_id: intended = workspace, ...values } = file.value;
  if (intended !== workspace)
    throw new UserError(
      l10n.t(
        'The file is for workspace {0}, but the account is in {1}. Switch accounts or edit the file.',
        plainLine(intended, 60),
        plainLine(workspace, 60),
      ),
    );
  return { ...values, source: values.instructions === '' ? 'none' : 'intern-file' };
}

function activeUri(): vscode.Uri {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri?.path.endsWith('.intern.json') === true) return uri;
  throw new UserError(l10n.t('Open an .intern.json file first.'));
}
