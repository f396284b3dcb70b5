import { l10n } from 'vscode';
import { isNear, isReached, nearShare, type CostSum } from '../../../conversation/costs.ts';
import {
  canStop,
  currentRunMode,
  expectedExpiry,
  noticeMs,
  type ConversationState,
  type Phase,
} from '../../../conversation/machine/state.ts';
import type {
  ActionId,
  BandView,
  BannerView,
  DraftAttachmentView,
  Narration,
  SendWith,
  StatusView,
} from '../../../protocol/view.ts';
import { actionView } from '../../../platform/words/actions.ts';
import { costWords, overshootWords } from '../../../platform/words/costs.ts';
import { formatDollars, formatShare } from '../../../platform/words/format.ts';
import { failureReason } from '../../conversations/questionView.ts';

/** What the status depends on beside the conversation's state. */
export interface StatusContext {
  readonly title: string;
  readonly internName: string;
  readonly isTrusted: boolean;
  readonly account: 'ready' | 'needs-key' | 'refused' | 'signed-out';
  readonly attachments: readonly DraftAttachmentView[];
  readonly narration: Narration;
  readonly sendWith: SendWith;
  readonly fontSize: number;
  readonly codeFeatures: string;
  /** The record cannot be written: what is said now is lost with the window. */
  readonly diskFailed: boolean;
  readonly isDeleted: boolean;
  /** The intern will not remember what was said: its session is not known. */
  readonly isForgotten: boolean;
  readonly cost: CostSum;
  /** Whether the last run came to a good end. */
  readonly endedWell: boolean;
  /** Replies are shown as plain text, since the page hung on them. */
  readonly isPlain: boolean;
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
    selfDriveBand: bandOf(state),
    readOnly: context.isDeleted,
    banners: context.isDeleted ? [deletedBanner()] : bannersOf(state, context),
    queue: state.queue.map(({ id, text, attachments, mode, reasonFor }) => ({
      id,
      text,
      ...(mode === state.mode ? {} : { mode }),
      ...(reasonFor !== undefined && { isReason: true }),
      attachments: attachments.map(({ label }, index) => ({
        id: `${id}/${index}`,
        label,
      })),
    })),
    queueHeld: state.queueHeld,
    attachments: context.attachments,
    // What reads aloud has the same text to take apart.
    narration: context.isPlain ? 'off' : context.narration,
    sendWith: context.sendWith,
    fontSize: context.fontSize,
    codeFeatures: context.codeFeatures,
    cost: costText(context.cost),
  };
}

function bandOf(state: ConversationState): BandView | null {
  const { mode, selfDriveLimit: limit } = state;
  if (mode === 'self-drive' && typeof limit === 'number')
    return {
      text: l10n.t(
        '{time} left in self-drive: the intern consents on your behalf and runs its shell unsandboxed.',
      ),
      until: limit,
    };
  if (mode === 'self-drive' && limit === 'this-prompt')
    return {
      text: l10n.t(
        'Self-drive for the next prompt only: the intern consents on your behalf and runs its shell unsandboxed.',
      ),
    };
  if (mode === 'self-drive')
    return {
      text: l10n.t(
        'Self-drive: the intern consents on your behalf and runs its shell unsandboxed.',
      ),
    };
  if (currentRunMode(state) !== 'self-drive') return null;
  return {
    text: l10n.t(
      'This run goes on in self-drive: the intern consents on your behalf and runs its shell unsandboxed. The next prompt is manual.',
    ),
  };
}

function costText(cost: CostSum): string {
  const words = costWords(cost);
  return words === '' ? '' : l10n.t('Cost: {0}', words);
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
    context.isPlain
      ? banner(
          'warning',
          l10n.t('The chat stopped responding, so its replies are now shown without formatting.'),
          ['showFormatted'],
        )
      : undefined,
    phaseBanner(state, context),
    costBanner(context),
    queueBanner(state, context),
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

function phaseBanner(
  state: ConversationState,
  { now, isForgotten }: StatusContext,
): BannerView | undefined {
  const { phase, leftAt } = state;
  switch (phase.kind) {
    case 'holding':
      return banner(
        'info',
        l10n.t(
          'The intern may still be working on the previous prompt. Yours is sent in {time}, in a new session that will not remember what was said above.',
        ),
        ['sendNow'],
        phase.until,
      );
    case 'backing-off':
      return banner('info', backoffText(phase), ['sendNow'], phase.until);
    case 'elsewhere':
      return banner('info', l10n.t('Another window is reading this run.'));
    case 'paused':
      return phase.stopping ? stoppingBanner(state) : undefined;
    case 'requesting':
      if (phase.exchange.reply?.stopping === true) return stoppingBanner(state);
      return phase.isSilent === true ? silentBanner() : undefined;
    case 'idle': {
      const until = (leftAt ?? 0) + noticeMs;
      if (until > now)
        return banner(
          'info',
          l10n.t(
            'The intern may still be working on the last prompt ({time} left). A prompt sent now waits until it has stopped.',
          ),
          [],
          until,
        );
      if (isForgotten)
        return banner(
          'warning',
          l10n.t(
            'The session is not known: the next prompt starts a new one, and the intern will not remember what was said above.',
          ),
        );
      return undefined;
    }
  }
}

/** It gives no duration: its words would be read aloud again with each new one. */
function silentBanner(): BannerView {
  return banner(
    'warning',
    l10n.t('Nothing has arrived for over a minute. The connection may be lost.'),
    ['stop'],
  );
}

function stoppingBanner({ sendWhenLeft, queue }: ConversationState): BannerView {
  return banner(
    'info',
    sendWhenLeft && queue.length > 0
      ? l10n.t('Canceling the question, then sending your prompt…')
      : l10n.t('Canceling the question to stop the run.'),
  );
}

function backoffText({ because, exchange }: Extract<Phase, { kind: 'backing-off' }>): string {
  switch (because.kind) {
    case 'rate-limited':
      return l10n.t('Too many turns at the moment. Sending again in {time}.');
    case 'no-capacity':
      return l10n.t('The intern cannot start another run yet. Sending again in {time}.');
    case 'busy':
    case 'attachment-failed':
      return exchange.reply === null
        ? l10n.t('The session is still busy with the previous run. Sending again in {time}.')
        : l10n.t('Another request is attached to the run. Your answer goes out again in {time}.');
    default:
      return l10n.t('Your answer may not have arrived. It goes out again in {time}.');
  }
}

/** Its words do not change with what was spent: they are said once. */
function costBanner({ cost }: StatusContext): BannerView | undefined {
  if (cost.limit === null || !isNear(cost)) return undefined;
  const limit = formatDollars(cost.limit);
  return isReached(cost)
    ? banner(
        'warning',
        l10n.t('The cost limit of {0} is reached. Nothing more is sent without asking you.', limit),
        ['limitCost'],
      )
    : banner(
        'info',
        `${l10n.t('{0} of the cost limit of {1} is used.', formatShare(nearShare), limit)} ${overshootWords()}`,
        ['limitCost'],
      );
}

function queueBanner(
  state: ConversationState,
  { cost, endedWell, now }: StatusContext,
): BannerView | undefined {
  const { queue, queueHeld, phase } = state;
  if (queue.length === 0) return undefined;
  if (phase.kind === 'paused' && !phase.stopping) return pausedQueueBanner(state, now);
  if (queueHeld && phase.kind === 'idle')
    return banner(
      'warning',
      isReached(cost) || endedWell
        ? l10n.t('The prompts below were not sent.')
        : l10n.t('The run did not end well, so the prompts below were not sent.'),
      ['sendQueue'],
    );
  return undefined;
}

/** Prompts that wait for a question: why its last answer failed, and the ways past it. */
function pausedQueueBanner(state: ConversationState, now: number): BannerView {
  const failure = state.questions[0]?.failure;
  const isExpired = now >= (expectedExpiry(state) ?? Infinity);
  const text = isExpired
    ? l10n.t('The question has probably expired. Your prompt waits until it is closed.')
    : l10n.t('Your prompt waits until the question is answered.');
  const reason = failure ? failureReason(failure) : '';
  return banner(
    failure ? 'warning' : 'info',
    [text, reason].filter(Boolean).join(' '),
    isExpired ? ['cancelQuestionAndSend', 'giveUpAndSend'] : ['cancelQuestionAndSend'],
  );
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
