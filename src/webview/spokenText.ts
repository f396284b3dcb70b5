import { truncate } from '../base/characters.ts';
import { SentenceSplitter } from '../base/sentences.ts';
import type { MessageView, PartView, QuestionView } from '../protocol/view.ts';
import type { Localizer } from './localizer.ts';

/** Maximum number of characters of a message that are spoken when the user goes to it. */
const MAX_OPENING_CHARACTERS = 300;
/** Maximum number of characters of Markdown that are parsed for the opening of a message. */
const MAX_PARSED_CHARACTERS = 2000;
/** Inline code that is read out: names, paths, commands. */
const SPOKEN_CODE = /^[\p{L}\p{N}\s_./:@#-]{1,60}(?:\(\))?$/u;

/** Splits replies into the sentences that are read out. */
export function createSplitter({ strings: { code, codeAnnounced } }: Localizer): SentenceSplitter {
  return new SentenceSplitter({
    inLine: (text) => (SPOKEN_CODE.test(text) ? text.trim() : code),
    block: codeAnnounced,
  });
}

/** Returns the text that is read out of a part. */
export function textOf(part: PartView): string {
  return part.kind === 'text' ? part.text : '';
}

/** Adds the detail of an elicitation, because its title is generic. */
export function spokenQuestion({ kind, title, detail }: QuestionView): string {
  return kind === 'elicitation' ? `${title}: ${detail}` : title;
}

/** Returns the beginning of a message, as it is said when the user goes to it. */
export function spokenOpening(message: MessageView, localizer: Localizer): string {
  const spoken = (part: PartView): string =>
    part.kind === 'question'
      ? `${spokenQuestion(part.question)} ${part.question.stateMessage}`
      : createSplitter(localizer).end(textOf(part).slice(0, MAX_PARSED_CHARACTERS)).join(' ');
  const texts =
    message.kind === 'reply'
      ? message.parts.map(spoken)
      : [message.text.slice(0, MAX_PARSED_CHARACTERS)];
  if (message.kind === 'reply' && message.failure !== undefined) texts.push(message.failure.title);
  return truncate(texts.join(' ').replaceAll(/\s+/g, ' ').trim(), MAX_OPENING_CHARACTERS);
}
