import * as vscode from 'vscode';
import { MAX_DESCRIPTION_CHARACTERS, MAX_INSTRUCTIONS_CHARACTERS } from '../../api/limits.ts';
import { INTERN_NAME_CHARACTERS } from '../../api/names.ts';

/** Of the schema's address, `interns-schema:/intern.schema.json` (package.json, jsonValidation). */
const SCHEME = 'interns-schema';

/**
 * Serves the JSON schema of `.intern.json` files in the language of the editor: VS Code translates no schema that comes
 * as a file. It asks for the schema when such a file is opened, and starts the extension for it.
 */
export function registerInternFileSchema(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: () => JSON.stringify(internFileSchema(), undefined, 2),
  });
}

/** The fields of a `.intern.json` file, as the editor completes, explains and checks them (POST /interns). */
export function internFileSchema(): object {
  const { l10n } = vscode;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: l10n.t('Intern'),
    description: l10n.t('An intern to be created: Create Intern from This File.'),
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      name: {
        description: l10n.t(
          '2 to 17 lowercase letters, digits and single hyphens. Unique per creator within the workspace.',
        ),
        type: 'string',
        minLength: INTERN_NAME_CHARACTERS.min,
        maxLength: INTERN_NAME_CHARACTERS.max,
        pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
        patternErrorMessage: l10n.t(
          'A name starts with a lowercase letter and holds lowercase letters, digits and single hyphens.',
        ),
      },
      description: {
        description: l10n.t('What the intern is for, at most 2,000 characters.'),
        type: ['string', 'null'],
        maxLength: MAX_DESCRIPTION_CHARACTERS,
      },
      instructions: {
        description: l10n.t(
          'Standing instructions that the intern starts with, at most 100,000 characters.',
        ),
        type: ['string', 'null'],
        maxLength: MAX_INSTRUCTIONS_CHARACTERS,
      },
      provision: {
        description: l10n.t(
          'Whether provisioning starts at once. If not, it must be started elsewhere.',
        ),
        type: 'boolean',
        default: false,
      },
      workspace_id: {
        description: l10n.t(
          'The workspace for which the intern is meant. It must be that of the account.',
        ),
        type: 'string',
        minLength: 1,
      },
    },
    defaultSnippets: [
      {
        label: l10n.t('Intern'),
        description: l10n.t('An intern to be created'),
        body: {
          name: '${1:my-intern}',
          description: '${2}',
          instructions: '${3}',
          provision: '^${4:true}',
        },
      },
    ],
  };
}
