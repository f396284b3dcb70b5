import { l10n, ViewColumn, window } from 'vscode';
import { checkPrompt } from '../../../api/index.ts';
import type { InternTarget } from '../../../platform/commands/ids.ts';
import { inputStep, runSteps, type Step } from '../../../platform/dialogs/steps.ts';
import { formatNumber } from '../../../platform/text/format.ts';
import { checkText, lengthMessage } from '../../../platform/text/limitMessages.ts';
import { UserError } from '../../../platform/text/reportFailure.ts';
import { activeAccount } from '../../accounts/account.ts';
import type { ChatCommandPorts } from './conversationCommands.ts';
import type { ChatPage } from '../chatPage.ts';

const { One, Two, Three, Four, Five, Six, Seven, Eight, Nine } = ViewColumn;

/** The columns that VS Code has names for. Their number is also the maximum number of interns. */
const COLUMNS = [One, Two, Three, Four, Five, Six, Seven, Eight, Nine] as const;

/** The prompt and its recipients. */
interface Values {
  readonly interns: readonly string[];
  readonly prompt: string;
}

/**
 * Sends one prompt to several interns, in new conversations side by side. Each prompt is sent as if from its own
 * composer: if new conversations use self-drive, the user is asked for each.
 *
 * @throws UserError if there is only one intern
 */
export async function askSeveral(
  { accounts, picker, dialogs, pages }: ChatCommandPorts,
  targets: readonly InternTarget[],
): Promise<void> {
  const account = activeAccount(accounts);
  const rows = await picker.rows();
  if (rows.length < 2)
    throw new UserError(l10n.t('Your list has only one intern. Add another one to ask several.'), [
      { label: l10n.t('Create Intern…'), command: 'interns.createIntern' },
      { label: l10n.t('Add Intern by ID…'), command: 'interns.addIntern' },
    ]);
  const title = l10n.t('Ask Several Interns');
  const listed = rows.map(({ value }) => value);
  const given = listed.filter((id) => targets.some(({ intern }) => intern === id));
  const steps: readonly Step<Values>[] = [
    {
      id: 'interns',
      applies: () => problemOf(given) !== undefined,
      show: (values, ask) =>
        ask.pickMany<string, Values>({
          title,
          placeholder: l10n.t('Select interns'),
          matchAll: true,
          rows,
          selected: values.interns,
          validate: problemOf,
          write: (interns) => ({ ...values, interns }),
        }),
    },
    inputStep('prompt', () => ({
      title,
      prompt: l10n.t('Prompt to send to each intern in a new conversation'),
      validate: checkText(checkPrompt, lengthMessage),
    })),
  ];
  const { kind, values } = await runSteps(dialogs, steps, { interns: given, prompt: '' });
  if (kind === 'left') return;
  const columns = COLUMNS.slice(window.tabGroups.activeTabGroup.viewColumn - 1);
  const chats: ChatPage[] = [];
  for (const [index, intern] of values.interns.entries()) {
    // Up to VS Code 1.100, pages that start at the same time replace each other's service worker, and one stays blank.
    await chats.at(-1)?.whenUp();
    chats.push(pages.start(account, intern, columns[index] ?? Nine));
  }
  for (const chat of chats) await chat.submit(values.prompt);
}

function problemOf(interns: readonly string[]): string | undefined {
  if (interns.length < 2) return l10n.t('Select at least two interns.');
  return interns.length > COLUMNS.length
    ? l10n.t('Select at most {0} interns.', formatNumber(COLUMNS.length))
    : undefined;
}
