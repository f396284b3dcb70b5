import type { InternStatus } from './interns.ts';

/** The course of an intern's provisioning. */
export interface Fate {
  settlesIn: InternStatus;
  failure: string | null;
  /** A factor of the usual duration. */
  slowness: number;
  /** When the network cuts the first create: before it is complete, or before its response. */
  cutsCreate: 'halfway' | 'at its end' | undefined;
}

const USUAL: Fate = { settlesIn: 'running', failure: null, slowness: 1, cutsCreate: undefined };

/** Prefixes of names that simulate other fates. */
const FATES: Readonly<Record<string, Fate>> = {
  'fail-': {
    ...USUAL,
    settlesIn: 'failed',
    failure: 'The machine image could not be started: no capacity in the region.',
  },
  'slow-': { ...USUAL, slowness: 10 },
  'cut-': { ...USUAL, cutsCreate: 'halfway' },
  'lost-': { ...USUAL, cutsCreate: 'at its end' },
  'queued-': { ...USUAL, settlesIn: 'queued' },
  'stuck-': { ...USUAL, settlesIn: 'provisioning' },
  'slack-': { ...USUAL, settlesIn: 'awaiting_slack_install' },
  'stopped-': { ...USUAL, settlesIn: 'stopped' },
  'destroying-': { ...USUAL, settlesIn: 'destroying' },
  'undead-': { ...USUAL, settlesIn: 'destroy_failed' },
};

export function fateOf(name: string): Fate {
  const played = Object.entries(FATES).find(([beginning]) => name.startsWith(beginning));
  return played?.[1] ?? USUAL;
}
