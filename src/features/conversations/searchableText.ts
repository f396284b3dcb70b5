import type { Message, Part } from '../../conversation/messages.ts';
import { oneSpaced, textOfMarkdown } from '../../base/markdownText.ts';
import type { FoundMessage } from '../../protocol/messages.ts';

/** Finds text in a whole conversation, drawn or not: the messages that have it, oldest first. */
export function findInTranscript(
  messages: readonly Message[],
  query: string,
  matchCase: boolean,
): readonly FoundMessage[] {
  const fold = (text: string): string => (matchCase ? text : text.toLowerCase());
  const wanted = fold(oneSpaced(query));
  if (wanted === '') return [];
  return messages
    .map((message) => ({
      message: message.id,
      count: fold(searchableText(message)).split(wanted).length - 1,
    }))
    .filter(({ count }) => count > 0);
}

/** What of a message can be found: its words as they are read, any white space in them one space. */
export function searchableText(message: Message): string {
  switch (message.kind) {
    case 'prompt':
      return oneSpaced(message.text);
    case 'reply':
      return message.parts.map(searchablePart).join(' ');
    case 'notice':
      return '';
  }
}

/** What was read of a part, while its text is the same: a search goes through everything at every key. */
const read = new WeakMap<Part, { readonly text: string; readonly plain: string }>();

function searchablePart(part: Part): string {
  if (part.kind === 'question')
    return part.question.kind === 'elicitation' ? oneSpaced(part.question.message) : '';
  const known = read.get(part);
  if (known?.text === part.text) return known.plain;
  const plain = oneSpaced(textOfMarkdown(part.text));
  read.set(part, { text: part.text, plain });
  return plain;
}
