/** A process that sends one chat request through a stream keeper, and then waits for its death. */
import { StreamKeeperClient } from '../../../src/platform/keeper/keeperClient.ts';
import { chatInit, keeperScript, patientClock } from './keeperRequests.ts';

const [folder = '', path = '', url = '', key = '', body = ''] = JSON.parse(
  process.env['DYING_WINDOW'] ?? '[]',
) as readonly string[];

const keeper = new StreamKeeperClient({
  folder,
  script: keeperScript,
  clock: patientClock,
  log: { info: (line) => process.send?.(line), warn: (line) => process.send?.(line) },
  policy: () => 'always',
  proxy: () => undefined,
  window: 'dying',
});
// The keeper's pipes don't keep this process running.
setInterval(() => undefined, 60_000);
const init = chatInit({ headers: { authorization: `Bearer ${key}` }, body });
const response = await keeper.fetchTo(path)(url, init);
await response.text();
