/** How approval-bearing tools of a run are decided: `manual` asks for each, `self-drive` consents without a sandbox. */
export const approvalModes = ['manual', 'self-drive'] as const;

export type ApprovalMode = (typeof approvalModes)[number];
