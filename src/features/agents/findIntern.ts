import { l10n } from 'vscode';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/words/format.ts';
import { UserError } from '../../platform/words/report.ts';
import type { InternRecord } from '../accounts/records.ts';
import { nameOf } from '../interns/internState.ts';

/** Most characters that are repeated of what an agent asked for. */
const SHOWN = 80;

/** The name of an intern as agents are told it, and may say it. */
export function nameForAgents(record: InternRecord): string {
  return plainLine(nameOf(record));
}

/**
 * The intern that an agent means: by its id, else by its name, else by its name in other cases.
 *
 * @param accounts How many are signed in: an intern that is not in this list may be in that of another one.
 * @throws UserError where there is none, or more than one.
 */
export function findIntern(
  records: readonly InternRecord[],
  wanted: string,
  accounts: number,
): InternRecord {
  const name = plainLine(wanted);
  const isNamed = (record: InternRecord): boolean => nameForAgents(record) === name;
  const isNamedAlike = (record: InternRecord): boolean =>
    nameForAgents(record).toLowerCase() === name.toLowerCase();
  const byId = records.filter(({ id }) => id === wanted.trim());
  const byName = records.filter(isNamed);
  const found = [byId, byName, records.filter(isNamedAlike)].find(({ length }) => length > 0) ?? [];
  const [only] = found;
  const shown = plainLine(wanted, SHOWN);
  if (only === undefined) {
    const missing = l10n.t('There is no intern “{0}” in the list of the active account.', shown);
    const others = l10n.t('If it belongs to another account, switch to that one first.');
    throw new UserError(accounts > 1 ? `${missing} ${others}` : missing);
  }
  if (found.length > 1)
    throw new UserError(
      l10n.t('{0} interns are named “{1}”. Name one by its id.', formatNumber(found.length), shown),
    );
  return only;
}
