/** `manual`: the intern asks before it acts. `self-drive`: the service consents, and there is no sandbox. */
export const APPROVAL_MODES = ['manual', 'self-drive'] as const;

export type ApprovalMode = (typeof APPROVAL_MODES)[number];
