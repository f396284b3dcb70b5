/** `manual`: the intern asks before it acts. `self-drive`: the service consents, without a sandbox (interface: Chat request). */
export const APPROVAL_MODES = ['manual', 'self-drive'] as const;

export type ApprovalMode = (typeof APPROVAL_MODES)[number];
