import { l10n } from 'vscode';
import type { Message, Part } from '../../chat/transcript.ts';
import { questionView } from './present/questionView.ts';

/** A message as Markdown, to copy or to export. Questions appear by what was asked and how it was answered. */
export function markdownOf(message: Message): string {
  switch (message.kind) {
    case 'prompt':
      return message.sent;
    case 'reply':
      return message.parts.map(partMarkdown).join('\n\n');
    case 'notice':
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
