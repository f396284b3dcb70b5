/** The state of a reply; `cut` if its run was interrupted. */
export type ReplyState = 'working' | 'waiting' | 'done' | 'failed' | 'stopped' | 'cut';
