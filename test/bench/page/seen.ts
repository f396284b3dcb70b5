/** Measurements in the page while a reply is drawn. */
export interface Seen {
  /** The share of the reply that was drawn within the time limit, up to 1. */
  readonly share: number;
  /** The longest script in a long animation frame; 0 if there was none. */
  readonly longestScriptMs: number;
  readonly frameP95Ms: number;
  readonly nodes: number;
}

/** Measurements of a long conversation, in milliseconds. */
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
