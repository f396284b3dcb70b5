import type { Memento } from 'vscode';
import * as v from 'valibot';
import type { ContextItem } from '../../chat/attachments.ts';

/** Where what is attached to a draft outlives the window. */
export interface AttachmentStore {
  load(): readonly ContextItem[];
  save(items: readonly ContextItem[]): void;
}

const line = v.pipe(v.number(), v.integer(), v.minValue(1));
const schema = v.array(
  v.object({
    source: v.string(),
    lines: v.exactOptional(v.object({ first: line, last: line })),
    language: v.exactOptional(v.string()),
    text: v.string(),
    note: v.exactOptional(v.string()),
    label: v.exactOptional(v.string()),
  }),
);

/** Keeps what is attached in one conversation in a memento, beside its draft; at most a prompt's worth of text. */
export function mementoStore(memento: Memento, conversation: string): AttachmentStore {
  const key = `attachments/${conversation}`;
  return {
    load: () => {
      const result = v.safeParse(schema, memento.get(key) ?? []);
      return result.success ? result.output : [];
    },
    save: (items) => void memento.update(key, items.length === 0 ? undefined : items),
  };
}
