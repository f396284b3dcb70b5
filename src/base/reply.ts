/** The state of a reply; `cut` if its run was interrupted. */
export type ReplyState = 'working' | 'waiting' | 'done' | 'failed' | 'stopped' | 'cut';

/** A part of a reply that the intern wrote, in Markdown. Times are epoch ms. */
export type WrittenPart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'reasoning';
      readonly text: string;
      readonly startedAt: number;
      /** Null while the intern still thinks. */
      readonly endedAt: number | null;
    };

/** Text that was appended to the part at index `part` of a reply. */
export interface AppendedText {
  readonly kind: 'append';
  readonly id: string;
  readonly part: number;
  readonly text: string;
}
