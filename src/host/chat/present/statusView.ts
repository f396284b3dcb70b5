import { l10n } from 'vscode';
import type { ApiErrorKind } from '../../../api/index.ts';
import {
  canStop,
  currentRunMode,
  noticeMs,
  type ConversationState,
} from '../../../chat/conversation/state.ts';
import type {
  ActionId,
  BannerView,
  DraftAttachmentView,
  StatusView,
} from '../../../protocol/view.ts';
import { actionView } from '../../words/actions.ts';

/** What the status depends on beside the conversation's state. */
export interface StatusContext {
  readonly title: string;
  readonly internName: string;
  readonly isTrusted: boolean;
  readonly account: 'ready' | 'needs-key' | 'refused' | 'signed-out';
  readonly attachments: readonly DraftAttachmentView[];
  /** The record cannot be written: what is said now is lost with the window. */
  readonly diskFailed: boolean;
  readonly isDeleted: boolean;
  /** Epoch ms. */
  readonly now: number;
}

/** What surrounds the transcript. */
export function statusView(state: ConversationState, context: StatusContext): StatusView {
  return {
    title: context.title,
    internName: context.internName,
    activity: activityOf(state),
    canStop: canStop(state),
    mode: state.mode,
    selfDriveAllowed: context.isTrusted,
    selfDriveBand: state.mode === 'self-drive' || currentRunMode(state) === 'self-drive',
    readOnly: context.isDeleted,
    banners: context.isDeleted ? [deletedBanner()] : bannersOf(state, context),
    queue: state.queue.map(({ id, text, attachments }) => ({
      id,
      text,
      attachments: attachments.map(({ label, size }, index) => ({
        id: `${id}/${index}`,
        label,
        size,
      })),
    })),
    queueHeld: state.queueHeld,
    attachments: context.attachments,
  };
}

function activityOf({ phase }: ConversationState): StatusView['activity'] {
  switch (phase.kind) {
    case 'idle':
      return 'idle';
    case 'holding':
    case 'backing-off':
      return 'holding';
    case 'requesting':
    case 'elsewhere':
      return 'working';
    case 'paused':
      return 'waiting';
  }
}

function bannersOf(state: ConversationState, context: StatusContext): readonly BannerView[] {
  return [
    accountBanner(context),
    context.diskFailed
      ? banner(
          'error',
          l10n.t(
            'This conversation cannot be written to disk. It is kept in memory until it can be.',
          ),
        )
      : undefined,
    phaseBanner(state, context.now),
    queueBanner(state),
  ].filter((each) => each !== undefined);
}

function deletedBanner(): BannerView {
  return banner(
    'warning',
    l10n.t(
      'This conversation was deleted in another window. What is shown here is gone when the tab is closed.',
    ),
    ['newConversation'],
  );
}

function accountBanner({ account }: StatusContext): BannerView | undefined {
  switch (account) {
    case 'ready':
      return undefined;
    case 'needs-key':
      return banner('warning', l10n.t('This account needs its API key again.'), ['signIn']);
    case 'refused':
      return banner('error', l10n.t('The service refused the API key of this account.'), [
        'signIn',
      ]);
    case 'signed-out':
      return banner('warning', l10n.t('You are signed out of the account of this conversation.'), [
        'signIn',
      ]);
  }
}

function phaseBanner(state: ConversationState, now: number): BannerView | undefined {
  const { phase, leftAt, session, hasHistory } = state;
  switch (phase.kind) {
    case 'holding':
      return banner(
        'info',
        l10n.t(
          'The intern does not know yet that its run was stopped. Your prompt goes out in {time} and starts a new session, which will not remember the above.',
        ),
        ['sendNow'],
        phase.until,
      );
    case 'backing-off':
      return banner('info', backoffText(phase.because), ['sendNow'], phase.until);
    case 'elsewhere':
      return banner('info', l10n.t('Another window is reading this run.'));
    case 'paused':
      return phase.stopping
        ? banner('info', l10n.t('Cancelling the question to stop the run.'))
        : undefined;
    case 'idle': {
      const until = (leftAt ?? 0) + noticeMs;
      if (until > now)
        return banner(
          'info',
          l10n.t(
            'Disconnected. The service notices within 30 seconds ({time} left); a prompt sent before then waits for that by itself.',
          ),
          [],
          until,
        );
      if (session === null && hasHistory)
        return banner(
          'warning',
          l10n.t(
            'The session is not known: the next prompt starts a new one, and the intern will not remember the above.',
          ),
        );
      return undefined;
    }
    case 'requesting':
      return undefined;
  }
}

function backoffText(because: ApiErrorKind): string {
  switch (because) {
    case 'rate-limited':
      return l10n.t('Too many turns at the moment. Sending again in {time}.');
    case 'no-capacity':
      return l10n.t('The intern cannot take another run now. Sending again in {time}.');
    case 'busy':
      return l10n.t('The session is still busy with the stopped run. Sending again in {time}.');
    default:
      return l10n.t('The service could not be reached. Sending again in {time}.');
  }
}

function queueBanner({ queue, queueHeld, phase }: ConversationState): BannerView | undefined {
  if (queue.length === 0) return undefined;
  if (phase.kind === 'paused')
    return banner('info', l10n.t('Your prompt waits until the question is answered.'), [
      'cancelQuestionAndSend',
    ]);
  if (queueHeld && phase.kind === 'idle')
    return banner(
      'warning',
      l10n.t('The run did not end well, so the prompts below were not sent.'),
      ['sendQueue'],
    );
  return undefined;
}

function banner(
  tone: BannerView['tone'],
  text: string,
  actions: readonly ActionId[] = [],
  until?: number,
): BannerView {
  return {
    tone,
    text,
    actions: actions.map(actionView),
    ...(until === undefined ? {} : { until }),
  };
}
