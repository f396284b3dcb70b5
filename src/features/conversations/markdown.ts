import { l10n } from 'vscode';
import type { Message, Part, ReplyMessage } from '../../conversation/messages.ts';
import { questionView } from './questionView.ts';

/** A message as Markdown, to copy or to export. Questions appear by what was asked and how it was answered. */
export function markdownOf(message: Message): string {
  switch (message.kind) {
    case 'prompt':
      return message.sent;
    case 'reply':
      return [...message.parts.map(partMarkdown), endingOf(message)]
        .filter((part) => part !== '')
        .join('\n\n');
    case 'notice':
      return '';
  }
}

/** How a reply ended where it did not end well: a reader of a copy cannot see it otherwise. */
function endingOf({ state }: ReplyMessage): string {
  switch (state) {
    case 'failed':
      return quote(l10n.t('Failed'));
    case 'stopped':
      return quote(l10n.t('Stopped'));
    case 'cut':
      return quote(l10n.t('Cut off'));
    case 'done':
    case 'waiting':
    case 'working':
      return '';
  }
}

function partMarkdown(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'reasoning':
      return quote(`${l10n.t('Thought')}:\n${part.text}`);
    case 'question': {
      const { title, detail, stateText } = questionView(part, false);
      return quote([title, detail, stateText].filter((line) => line !== '').join('\n'));
    }
  }
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
