import { l10n, Uri, window, workspace } from 'vscode';
import { withProgress } from '../../platform/dialogs/statusMessage.ts';
import { pickStep, runSteps, type Step } from '../../platform/dialogs/steps.ts';
import { formatNumber, formatSentences } from '../../platform/text/format.ts';
import { accountPick, activeAccount, type Account } from '../accounts/account.ts';
import type { InternServices } from '../interns/internModel.ts';
import { readEntries, recordPath } from './conversationRecord.ts';
import type { Conversations } from './conversations.ts';
import { decisionsIn, isDecisionLine } from './decisions.ts';
import { askForFile } from './exportConversation.ts';

interface ExportPorts extends Pick<
  InternServices,
  'accounts' | 'clock' | 'dialogs' | 'interns' | 'log'
> {
  readonly conversations: Pick<Conversations, 'list' | 'flush'>;
}

const DAY_MS = 86_400_000;

/** The account and the number of days to export; `Infinity` for all. */
interface Choice {
  readonly account: Account;
  readonly days: number;
}

/** Lines of JSON, and how many conversations could not be read. */
interface Export {
  readonly lines: Uint8Array[];
  unreadable: number;
}

/** Asks for an account, a time range and a file, and writes a line of JSON for each permission and elicitation. */
export async function exportDecisions(ports: ExportPorts): Promise<void> {
  const { kind, values } = await runSteps(ports.dialogs, stepsOf(ports), {
    account: activeAccount(ports.accounts),
    days: 30,
  });
  if (kind === 'left') return;
  const exported = await collect(ports, values);
  if (exported === undefined) return;
  if (exported.lines.length === 0 && exported.unreadable === 0) {
    void window.showInformationMessage(l10n.t('No questions were asked in this period.'));
    return;
  }
  const title = l10n.t('Export Decisions');
  const target = await askForFile('decisions.jsonl', { title, filters: { JSON: ['jsonl'] } });
  if (target === undefined) return;
  await workspace.fs.writeFile(target, Buffer.concat(exported.lines));
  await report(exported, target);
}

function stepsOf({ accounts }: ExportPorts): readonly Step<Choice>[] {
  const title = l10n.t('Export Decisions');
  const account: Step<Choice> = pickStep('account', () => accountPick(title, accounts.all));
  return [
    ...(accounts.all.length > 1 ? [account] : []),
    pickStep('days', () => ({
      title,
      placeholder: l10n.t('When were the questions asked?'),
      rows: [
        { label: l10n.t('In the last 24 hours'), value: 1 },
        { label: l10n.t('In the last 7 days'), value: 7 },
        { label: l10n.t('In the last 30 days'), value: 30 },
        { label: l10n.t('In the last 365 days'), value: 365 },
        { label: l10n.t('At any time'), value: Infinity },
      ],
    })),
  ];
}

/** Reads one record after the other, with progress. Undefined if the user cancels. */
async function collect(
  { conversations, clock, interns, log }: ExportPorts,
  { account, days }: Choice,
): Promise<Export | undefined> {
  return withProgress(l10n.t('Exporting decisions'), async (signal, progress) => {
    await conversations.flush();
    // `interns.name` needs the names.
    await interns.list(account);
    const now = clock.now();
    const since = now - days * DAY_MS;
    const heads = (await conversations.list(account)).filter(({ at }) => at >= since);
    const exported: Export = { lines: [], unreadable: 0 };
    const batch = Math.ceil(heads.length / 100);
    for (const [index, { id, intern }] of heads.entries()) {
      if (signal.aborted) return undefined;
      if (index % batch === 0) progress.report({ increment: (100 * batch) / heads.length });
      try {
        const entries = (await readEntries(recordPath(account, id), isDecisionLine)) ?? [];
        const source = { conversation: id, intern, internName: interns.name(intern, account) };
        for (const decision of decisionsIn(entries, now)) {
          if (Date.parse(decision.askedAt) < since) continue;
          exported.lines.push(Buffer.from(`${JSON.stringify({ ...source, ...decision })}\n`));
        }
      } catch (failure) {
        log.warn('A conversation could not be exported', failure, id);
        exported.unreadable += 1;
      }
    }
    return exported;
  });
}

async function report({ lines, unreadable }: Export, file: Uri): Promise<void> {
  const open = l10n.t('Open File');
  const exported = l10n.t('Exported decisions: {0}.', formatNumber(lines.length));
  const chosen =
    unreadable === 0
      ? await window.showInformationMessage(exported, open)
      : await window.showWarningMessage(
          formatSentences([
            exported,
            l10n.t('Conversations that couldn’t be read: {0}.', formatNumber(unreadable)),
          ]),
          open,
        );
  if (chosen === open) await window.showTextDocument(file);
}
