import { l10n } from 'vscode';
import type { DigestCounts, QuestionDigest, RunDigest } from '../../conversation/digest.ts';
import type { QuestionPart } from '../../conversation/messages.ts';
import { maybeReceived } from '../../conversation/mutableReply.ts';
import { formatDollars, formatNumber } from '../../platform/words/format.ts';
import { questionView } from '../conversations/questionView.ts';

/** All that happened in one line, such as `3 finished, 1 failed, 2 expired · $0.84`; empty where nothing did. */
export function digestLine(counts: DigestCounts): string {
  const { finished, failed, stopped, unanswered, expired, waiting, running, cost } = counts;
  const parts = [
    finished > 0 &&
      l10n.t({
        message: '{0} finished',
        args: [formatNumber(finished)],
        comment: 'A number of runs',
      }),
    failed > 0 && l10n.t('{0} failed', formatNumber(failed)),
    stopped > 0 && l10n.t('{0} stopped', formatNumber(stopped)),
    unanswered > 0 && l10n.t('{0} unanswered', formatNumber(unanswered)),
    expired > 0 && l10n.t('{0} expired', formatNumber(expired)),
    waiting > 0 && l10n.t('{0} waiting', formatNumber(waiting)),
    running > 0 && l10n.t('{0} still running', formatNumber(running)),
  ].filter((part) => part !== false);
  return [parts.join(', '), cost > 0 ? formatDollars(cost) : ''].filter(Boolean).join(' · ');
}

/** What became of a run. */
export function runWords({ state, questions }: RunDigest): string {
  switch (state) {
    case 'done':
      return l10n.t('Finished');
    case 'failed':
      return l10n.t('Failed');
    case 'stopped':
      return l10n.t('Stopped');
    case 'cut':
      return l10n.t('Cut off');
    case 'working':
      return l10n.t('Still running');
    case 'waiting':
      return questions.some(({ fate }) => fate === 'waiting')
        ? l10n.t('Waiting for you')
        : l10n.t('Not over yet');
  }
}

/** What became of a question, and who decided it. */
export function outcomeWords({ part, fate }: QuestionDigest): string {
  if (part.stage !== 'over' && fate === 'expired' && maybeReceived(part, false) === null)
    return l10n.t('The run was probably canceled. You can still try to answer.');
  const outcome = questionView(part, fate === 'waiting' || fate === 'expired').stateText;
  const who = decidedBy(part);
  return who === '' ? outcome : l10n.t('{0} ({1})', outcome, who);
}

/** Who decided a question; empty where nobody did, or where its outcome says it. */
function decidedBy({ question, stage, ending, by }: QuestionPart): string {
  const isDecided = stage === 'over' && ending === 'answered' && question.kind !== 'unreadable';
  return isDecided && by === null ? l10n.t('decided by you') : '';
}
