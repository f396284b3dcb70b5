/** Limits of the API that host and page share (interface: Limits). */

/** Maximum number of characters (code points) of a prompt, attachments included. */
export const MAX_PROMPT_CHARACTERS = 32_000;

/** How long a question waits by default, in ms. Countdowns never show more; the service may use another value. */
export const INTERACTION_DEADLINE_MS = 300_000;

/** Returns when a question probably expires, in epoch ms. */
export function questionDeadline({ askedAt }: { readonly askedAt: number }): number {
  return askedAt + INTERACTION_DEADLINE_MS;
}
