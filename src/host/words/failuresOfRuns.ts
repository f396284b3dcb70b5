import { l10n } from 'vscode';
import { mostReplyCharacters } from '../../chat/replyMeter.ts';
import type { WordsOf } from './explanation.ts';
import { formatNumber } from './format.ts';

/** Failures of an intern, of its runs and of its questions (interface: Errors, "Chat route" and in a stream). */
export const runWords: WordsOf<
  | 'not-ready'
  | 'busy'
  | 'no-capacity'
  | 'attachment-failed'
  | 'run-output-lost'
  | 'run-ended'
  | 'interaction-unknown'
  | 'interaction-not-pending'
  | 'unreachable'
  | 'rejected'
  | 'turn-failed'
  | 'client-closed'
  | 'reply-too-long'
> = {
  'not-ready': () => ({
    title: l10n.t('The intern is not running'),
    detail: l10n.t(
      'It takes prompts only while it runs. If it is being provisioned, try again in a while; else it must be started where your interns are managed.',
    ),
    actions: ['retry'],
  }),
  busy: () => ({
    title: l10n.t('Another turn is running in this session'),
    detail: l10n.t('Try again when it has ended, or start a new conversation.'),
    actions: ['retry', 'newConversation'],
  }),
  'no-capacity': () => ({
    title: l10n.t('The intern cannot hold another run open now'),
    detail: l10n.t(
      'Other runs of it wait for answers. Answer those, or try again in a few minutes.',
    ),
    actions: ['retry'],
  }),
  'attachment-failed': () => ({
    title: l10n.t('Another request is attached to this run'),
    detail: l10n.t(
      'Another window or program may be reading its reply. Try again when that has ended.',
    ),
    actions: ['retry'],
  }),
  'run-output-lost': () => ({
    title: l10n.t('The paused reply can no longer be resumed'),
    detail: l10n.t(
      'The run produced more than the intern keeps. Send the prompt again; the work then starts anew.',
    ),
    actions: ['retry', 'newConversation'],
  }),
  'run-ended': () => ({
    title: l10n.t('The run was ended'),
    detail: l10n.t(
      'The intern says that it was cancelled or ran out of time. What came before is kept. Sending the prompt again starts the work anew.',
    ),
    actions: ['retry'],
  }),
  'interaction-unknown': () => ({
    title: l10n.t('The intern knows of no such question'),
    detail: l10n.t(
      'It was answered elsewhere, or its run is over. Send the prompt again if you still need the result.',
    ),
    actions: ['retry'],
  }),
  'interaction-not-pending': () => ({
    title: l10n.t('The question is no longer waiting'),
    detail: l10n.t(
      'It was answered already, or its time ran out. Send the prompt again if you still need the result.',
    ),
    actions: ['retry'],
  }),
  unreachable: () => ({
    title: l10n.t('The service could not reach the intern'),
    detail: l10n.t('It may be starting or stopping. Try again in a while.'),
    actions: ['retry'],
  }),
  rejected: () => ({
    title: l10n.t('The intern rejected the request'),
    detail: l10n.t('Try again; if it goes on, a new conversation may help.'),
    actions: ['retry', 'newConversation'],
  }),
  'turn-failed': ({ inStream }) =>
    inStream
      ? {
          title: l10n.t('The turn of the intern failed'),
          detail: l10n.t(
            'What came before is kept. Sending the prompt again starts the work anew.',
          ),
          actions: ['retry'],
        }
      : {
          title: l10n.t('The intern refused the turn'),
          detail: l10n.t('It ended before any output. Try again, or change the prompt.'),
          actions: ['retry', 'editLast'],
        },
  'client-closed': () => ({
    title: l10n.t('The service saw this editor leave'),
    detail: l10n.t(
      'The connection was closed before the reply was complete, and the run was cancelled. Sending the prompt again starts the work anew.',
    ),
    actions: ['retry'],
  }),
  'reply-too-long': () => ({
    title: l10n.t('The reply grew too long'),
    detail: l10n.t(
      'At most {0} characters of a reply are kept, so this editor left the run. What came before is above. Ask for less at a time, or for a file.',
      formatNumber(mostReplyCharacters),
    ),
    actions: ['editLast', 'newConversation'],
  }),
};
