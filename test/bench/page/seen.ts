/** What was seen in the page while a reply was drawn. */
export interface Seen {
  /** How much of the reply was drawn when the time was up; 1 for all. */
  readonly share: number;
  /** The longest stretch of script in a frame that was long enough to be noticed; 0 where none was. */
  readonly longestScriptMs: number;
  readonly frameP50Ms: number;
  readonly frameP95Ms: number;
  readonly nodes: number;
}

/** What a long conversation does; times in milliseconds. */
export interface LongSeen {
  /** From the start of the page's script to the first frame that shows the end of the conversation. */
  readonly firstPaintMs: number;
  readonly scrollP95Ms: number;
  /** Frames while a reply is written at the end. */
  readonly streamP95Ms: number;
  /** From the first token of a reply to the frame that shows it. */
  readonly firstTokenMs: number;
  readonly nodes: number;
}
