import { l10n, ThemeIcon } from 'vscode';
import { formatTimeLeft } from '../../../base/timeLeft.ts';
import {
  UNANSWERED_MS,
  WHEN_UNANSWERED,
  type WhenUnanswered,
} from '../../../conversation/questions/unanswered.ts';
import type { Transcript } from '../../../conversation/transcript.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';
import type { Prompts } from '../../../platform/dialogs/prompts.ts';

export function whenUnansweredTitle(): string {
  return l10n.t('When Nobody Answers');
}

/** Asks what becomes of a conversation's questions that nobody answers; undefined where the user leaves it as it is. */
export async function pickWhenUnanswered(
  prompts: Prompts,
  { title, whenUnanswered }: Pick<Transcript, 'title' | 'whenUnanswered'>,
): Promise<WhenUnanswered | undefined> {
  const about = plainLine(title, 60);
  const picked = await prompts.pick<WhenUnanswered>({
    title: about === '' ? whenUnansweredTitle() : `${whenUnansweredTitle()} · ${about}`,
    placeholder: l10n.t(
      'With {0} left, where no window shows the question. Nothing is ever allowed so.',
      formatTimeLeft(UNANSWERED_MS),
    ),
    active: whenUnanswered,
    rows: WHEN_UNANSWERED.map((when) => ({
      label: labelOf(when),
      detail: detailOf(when),
      ...(when === whenUnanswered
        ? { icon: new ThemeIcon('check'), description: l10n.t('current') }
        : {}),
      value: when,
    })),
  });
  return picked.kind === 'value' ? picked.value : undefined;
}

function labelOf(when: WhenUnanswered): string {
  switch (when) {
    case 'expire':
      return l10n.t('Let it expire');
    case 'refuse':
      return l10n.t('Refuse and go on');
    case 'cancel':
      return l10n.t('Cancel the run');
  }
}

function detailOf(when: WhenUnanswered): string {
  switch (when) {
    case 'expire':
      return l10n.t('Nothing is answered for you. The service ends the run when the time is up.');
    case 'refuse':
      return l10n.t(
        'The question is rejected once, declined or cancelled, and the intern goes on.',
      );
    case 'cancel':
      return l10n.t('The question is cancelled, and the run is stopped.');
  }
}
