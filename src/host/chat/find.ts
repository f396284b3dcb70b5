import type { Message } from '../../chat/transcript.ts';
import type { FoundMatch } from '../../protocol/messages.ts';

/** The most matches that are told; beyond, the count says `10,000`. */
const mostMatches = 10_000;

/** Finds text in a whole conversation, drawn or not, oldest first. */
export function findInTranscript(
  messages: readonly Message[],
  query: string,
  matchCase: boolean,
): readonly FoundMatch[] {
  const wanted = fold(query, matchCase);
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

/** What of a message can be found: its words, as they were written. */
export function searchableText(message: Message): string {
  switch (message.kind) {
    case 'prompt':
      return message.text;
    case 'reply':
      return message.parts.map((part) => (part.kind === 'question' ? '' : part.text)).join('\n');
    case 'notice':
      return '';
  }
}

function fold(text: string, matchCase: boolean): string {
  return matchCase ? text : text.toLowerCase();
}
