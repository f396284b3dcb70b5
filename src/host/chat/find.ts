import type { Message, Part } from '../../chat/transcript.ts';
import { oneSpaced, textOfMarkdown } from '../../chat/markdownText.ts';
import type { FoundMatch } from '../../protocol/messages.ts';

/** The most matches that are told; beyond, the count says `10,000`. */
const mostMatches = 10_000;

/** Finds text in a whole conversation, drawn or not, oldest first. */
export function findInTranscript(
  messages: readonly Message[],
  query: string,
  matchCase: boolean,
): readonly FoundMatch[] {
  const wanted = fold(searchableQuery(query), matchCase);
  const matches: FoundMatch[] = [];
  if (wanted === '') return matches;
  for (const [index, message] of messages.entries()) {
    const text = fold(searchableText(message), matchCase);
    let ordinal = 0;
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      matches.push({ message: message.id, index, ordinal });
      ordinal += 1;
      if (matches.length === mostMatches) return matches;
    }
  }
  return matches;
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

/** A search as {@link searchableText} has it. */
export function searchableQuery(query: string): string {
  return oneSpaced(query);
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

function fold(text: string, matchCase: boolean): string {
  return matchCase ? text : text.toLowerCase();
}
