/** Numbers of the interface that host and page both go by (interface: Limits). */

/** Most characters of a prompt, attachments included. */
export const MAX_PROMPT_CHARACTERS = 32_000;

/**
 * How long a question waits, in ms, where the service was not set otherwise: advice for countdowns, which never show
 * more, and no promise.
 */
export const INTERACTION_DEADLINE_MS = 300_000;

/** When a question probably expires, epoch ms: the service decides. */
export function deadlineOf({ askedAt }: { readonly askedAt: number }): number {
  return askedAt + INTERACTION_DEADLINE_MS;
}
