import type { EntryBody, JournalEntry } from '../../../src/conversation/journal.ts';
import { Transcript } from '../../../src/conversation/transcript.ts';
import { permissionCall } from './fakeExchange.ts';

/** Entries as one window records them: an ID each, one a second. */
export function stamped(...bodies: readonly EntryBody[]): JournalEntry[] {
  return bodies.map((body, index) => ({ ...body, id: `e${index}`, at: (index + 1) * 1_000 }));
}

export function fold(...bodies: readonly EntryBody[]): Transcript {
  return Transcript.fold(stamped(...bodies));
}

export function asked(run: string, question: string): EntryBody {
  const { id, name, arguments: text } = permissionCall('call-1');
  return { type: 'asked', run, question, call: { id, name, arguments: text } };
}
