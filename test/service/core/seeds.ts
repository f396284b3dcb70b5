import type { Intern, InternRegistry } from './interns.ts';

const ORCHARD = { creatorUserId: 'user_olive', workspaceId: 'ws_orchard' };
const HARBOUR = { creatorUserId: 'user_hugo', workspaceId: 'ws_harbour' };

const FAILURE = 'The machine image could not be started: no capacity in the region.';

/** The interns at the start: two that run, and one in each other status. */
const SEEDED: readonly (Partial<Intern> & { name: string })[] = [
  { name: 'ada', status: 'running', hostname: 'ada.interns.test', description: 'Answers at once.' },
  { name: 'bea', status: 'running', hostname: 'bea.interns.test', model: 'example/large-1' },
  { name: 'carl', status: 'stopped' },
  { name: 'dora', status: 'failed', last_failure_message: FAILURE },
  { name: 'emil', status: 'queued' },
  { name: 'fay', status: 'provisioning', progress: { step: 'Boot', completed: 2, total: 3 } },
  { name: 'gus', status: 'awaiting_slack_install' },
  { name: 'hal', status: 'destroying' },
  { name: 'ida', status: 'destroy_failed' },
];

/** Adds the seeded interns, each with the ID `intern_NAME`; `intern_jon` runs in the second workspace. */
export function seedInterns(registry: InternRegistry): void {
  for (const fields of SEEDED) registry.seed(`intern_${fields.name}`, ORCHARD, fields);
  registry.seed('intern_jon', HARBOUR, {
    name: 'jon',
    status: 'running',
    hostname: 'jon.interns.test',
  });
}
