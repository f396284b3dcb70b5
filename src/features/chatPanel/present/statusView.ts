import { l10n } from 'vscode';
import type { ApprovalMode } from '../../../base/approvalMode.ts';
import type { Conversation } from '../../../conversation/conversation.ts';
import {
  isNearCostLimit,
  isCostLimitReached,
  COST_WARNING_SHARE,
  type CostSum,
} from '../../../conversation/costs.ts';
import {
  currentRun,
  DISCONNECT_NOTICE_MS,
  type ConversationState,
  type Phase,
  type QueuedPrompt,
} from '../../../conversation/machine/state.ts';
import type { Transcript } from '../../../conversation/transcript.ts';
import type {
  ActionId,
  BandView,
  BannerView,
  QueuedPromptView,
  StatusView,
} from '../../../protocol/view.ts';
import { actionView } from '../../../platform/text/failures.ts';
import { costLabel, costOvershootMessage } from '../../../platform/text/costs.ts';
import { formatDollars, formatSentences, formatShare } from '../../../platform/text/format.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import { failureReasonMessage } from '../../conversations/questionView.ts';

/** Everything besides the conversation that its status depends on. */
export interface StatusContext
  extends
    Pick<StatusView, 'internName' | 'attachments' | 'settings'>,
    Pick<OpenConversation, 'diskFailed' | 'isDeleted'> {
  readonly account: 'ready' | 'needs-key' | 'refused' | 'signed-out';
  /** The name of the conversation's account, unless that is the active one. */
  readonly otherAccount?: string | undefined;
  readonly isTrusted: boolean;
  /** True if replies are shown as plain text because the page hung on them. */
  readonly isPlain: boolean;
  /** Epoch ms. */
  readonly now: number;
}

/** Returns what the page shows around the transcript. */
export function statusView(conversation: Conversation, context: StatusContext): StatusView {
  const { state, transcript } = conversation;
  const { internName, attachments, settings, isDeleted, isPlain } = context;
  const cost = costLabel(transcript.cost);
  // The head of the queue is about to be sent. If it were shown as queued, it would flicker and be announced.
  const queue = state.phase.kind === 'claiming' ? state.queue.slice(1) : state.queue;
  return {
    title: transcript.title,
    internName,
    activity: ACTIVITY_BY_PHASE[state.phase.kind],
    mode: state.mode,
    selfDriveAllowed: context.isTrusted,
    selfDriveBand: bandOf(conversation),
    readOnly: isDeleted,
    banners: bannersOf(conversation, context),
    queue: queue.map((prompt) => queuedView(prompt, state.mode)),
    queueHeld: state.queueHeld,
    attachments,
    // The page hung on this text, and its narrator would parse it.
    settings: isPlain ? { ...settings, narration: 'off' } : settings,
    cost: cost === '' ? '' : l10n.t('Cost: {0}', cost),
  };
}

function queuedView(
  { id, text, attachments, mode, reasonFor }: QueuedPrompt,
  current: ApprovalMode,
): QueuedPromptView {
  return {
    id,
    text,
    ...(mode === current ? {} : { mode }),
    ...(reasonFor !== undefined && { isReason: true }),
    attachments: attachments.map(({ label }) => label),
  };
}

function bandOf({ state, transcript }: Conversation): BandView | null {
  const { mode, selfDriveLimit: limit } = state;
  if (mode === 'manual') {
    const text = l10n.t(
      'This run stays in self-drive (acts without asking, no sandbox). The next prompt is manual.',
    );
    // The run may be open in another window.
    const run = transcript.reply(currentRun(state) ?? '');
    return run?.mode === 'self-drive' ? { text } : null;
  }
  if (typeof limit === 'number') {
    const text = l10n.t('Self-drive for {time} more (acts without asking, no sandbox).');
    return { text, until: limit };
  }
  const always = l10n.t('Self-drive (acts without asking, no sandbox).');
  const once = l10n.t('Self-drive for the next prompt only (acts without asking, no sandbox).');
  return { text: limit === 'this-prompt' ? once : always };
}

const ACTIVITY_BY_PHASE: Readonly<Record<Phase['kind'], StatusView['activity']>> = {
  idle: 'idle',
  holding: 'holding',
  'backing-off': 'holding',
  claiming: 'working',
  requesting: 'working',
  elsewhere: 'working',
  paused: 'waiting',
};

function bannersOf(
  conversation: Conversation,
  { account, otherAccount, diskFailed, isDeleted, isPlain, now }: StatusContext,
): readonly BannerView[] {
  const { state, transcript } = conversation;
  const deleted = l10n.t(
    'This conversation was deleted in another window. Closing this tab removes it for good.',
  );
  if (isDeleted) return [banner('warning', deleted, ['newConversation'])];
  return [
    accountBanner(account),
    otherAccount !== undefined &&
      banner('info', l10n.t('This conversation belongs to another account: {0}.', otherAccount)),
    diskFailed &&
      banner(
        'error',
        l10n.t('Couldn’t save this conversation. It stays in memory; keep the window open.'),
      ),
    isPlain &&
      banner(
        'warning',
        l10n.t('The chat stopped responding. Its replies are now shown without formatting.'),
        ['showFormatted'],
      ),
    phaseBanner(state, transcript, now),
    costBanner(transcript.cost),
    // This banner says why prompts are held.
    state.queueHeld &&
      conversation.isDailyCostReached &&
      banner('warning', l10n.t('Today’s cost limit is reached.')),
    queueBanner(conversation, now),
  ].filter((each) => each !== undefined && each !== false);
}

function accountBanner(account: StatusContext['account']): BannerView | undefined {
  if (account === 'ready') return undefined;
  const texts = {
    'needs-key': l10n.t('This account’s API key is missing.'),
    refused: l10n.t('The service refused this account’s API key.'),
    'signed-out': l10n.t('You’re signed out of this conversation’s account.'),
  };
  return banner(account === 'refused' ? 'error' : 'warning', texts[account], ['signIn']);
}

function phaseBanner(
  state: ConversationState,
  { isForgotten }: Transcript,
  now: number,
): BannerView | undefined {
  const { phase } = state;
  switch (phase.kind) {
    case 'holding':
    case 'backing-off':
      if (phase.kind === 'backing-off' && phase.attempt.answer?.isStopping === true)
        return stoppingBanner(state, ['sendNow']);
      return banner('info', waitingMessage(phase), ['sendNow'], phase.until);
    case 'elsewhere':
      return banner(
        'info',
        state.sendWhenLeft
          ? l10n.t('Stopping the run in another window, then sending your prompt…')
          : l10n.t('This run is open in another window.'),
      );
    case 'claiming':
      return undefined;
    case 'paused':
      return phase.isStopping ? stoppingBanner(state) : undefined;
    case 'requesting':
      if (phase.attempt.answer?.isStopping === true) return stoppingBanner(state);
      if (phase.isSilent !== true) return undefined;
      // The text has no duration, since screen readers read each change.
      return banner('warning', l10n.t('No data for over a minute. The connection may be lost.'), [
        'stop',
      ]);
    case 'idle': {
      const until = (state.leftAt ?? 0) + DISCONNECT_NOTICE_MS;
      if (until > now)
        return banner(
          'info',
          l10n.t('The intern may still be busy for {time}. A prompt you send now waits.'),
          [],
          until,
        );
      if (!isForgotten) return undefined;
      return banner(
        'warning',
        l10n.t(
          'The session was lost. Your next prompt starts a new one without the messages above.',
        ),
        ['continueInNew'],
      );
    }
  }
}

function stoppingBanner(
  { sendWhenLeft, queue }: ConversationState,
  actions: readonly ActionId[] = [],
): BannerView {
  return banner(
    'info',
    sendWhenLeft && queue.length > 0
      ? l10n.t('Canceling the question, then sending your prompt…')
      : l10n.t('Canceling the question to stop the run…'),
    actions,
  );
}

/** Says why a prompt or an answer is sent later. */
function waitingMessage(phase: Extract<Phase, { kind: 'holding' | 'backing-off' }>): string {
  if (phase.kind === 'holding')
    return l10n.t(
      'The intern may still be busy. Sending in {time} in a new session, without the messages above.',
    );
  switch (phase.error.kind) {
    case 'rate-limited':
      return l10n.t('The service is busy (too many runs). Retrying in {time}.');
    case 'no-capacity':
      return l10n.t('The intern can’t start another run yet. Retrying in {time}.');
    case 'busy':
    case 'attachment-failed':
      return phase.attempt.answer === null
        ? l10n.t('The session is still busy with the previous run. Retrying in {time}.')
        : l10n.t('This run is open elsewhere. Sending your answer again in {time}.');
    default:
      return l10n.t('Your answer may not have arrived. Sending it again in {time}.');
  }
}

/** Returns a banner without the amount spent, since screen readers read each change. */
function costBanner(cost: CostSum): BannerView | undefined {
  if (cost.limit === null || !isNearCostLimit(cost)) return undefined;
  const limit = formatDollars(cost.limit);
  return isCostLimitReached(cost)
    ? banner(
        'warning',
        l10n.t('The cost limit of {0} is reached. You’re asked before each prompt.', limit),
        ['limitCost', 'continueInNew'],
      )
    : banner(
        'info',
        formatSentences([
          l10n.t('{0} of the {1} cost limit is used.', formatShare(COST_WARNING_SHARE), limit),
          costOvershootMessage(),
        ]),
        ['limitCost'],
      );
}

function queueBanner(conversation: Conversation, now: number): BannerView | undefined {
  const { queue, queueHeld, phase } = conversation.state;
  const { cost, lastReply } = conversation.transcript;
  if (queue.length === 0) return undefined;
  if (phase.kind === 'paused' && !phase.isStopping) return pausedQueueBanner(conversation, now);
  const hasFailed = lastReply?.state === 'failed' || lastReply?.state === 'cut';
  if (queueHeld && phase.kind === 'idle')
    return banner(
      'warning',
      hasFailed && !isCostLimitReached(cost) && !conversation.isDailyCostReached
        ? l10n.t('The run failed. The prompts below weren’t sent.')
        : l10n.t('The prompts below weren’t sent.'),
      ['sendQueue'],
    );
  return undefined;
}

/** Says why prompts wait for a question, and why its last answer failed. */
function pausedQueueBanner({ state, transcript, deadline }: Conversation, now: number): BannerView {
  const failure = transcript.openQuestions[0]?.failure;
  const isExpired = now >= (deadline ?? Infinity);
  const waits = state.queueHeld
    ? l10n.t('The prompts below weren’t sent.')
    : l10n.t('Your prompt waits until the question is answered.');
  const text = isExpired
    ? l10n.t('The question has probably expired. Your prompt waits until it’s closed.')
    : waits;
  return banner(
    failure ? 'warning' : 'info',
    formatSentences([text, failure && failureReasonMessage(failure)]),
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
