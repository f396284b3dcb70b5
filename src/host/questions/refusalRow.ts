import { l10n, ThemeIcon } from 'vscode';
import type { ApiError } from '../../api/index.ts';
import { plainLine } from '../dialogs/plainText.ts';
import { explainFailure } from '../words/failures.ts';
import type { GuardedRow } from './guardedPick.ts';

/** A row, only to be read, that says why the last answer was refused. None where there was no refusal. */
export function refusalRows(error: ApiError | null): readonly GuardedRow<never>[] {
  if (error === null) return [];
  const { title, detail, serviceSays } = explainFailure(error);
  const said = serviceSays && l10n.t('The service says: “{0}”', serviceSays);
  return [
    {
      label: plainLine(title),
      detail: plainLine([said, detail].filter(Boolean).join(' '), 500),
      icon: new ThemeIcon('error'),
    },
  ];
}
