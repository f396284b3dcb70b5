import assert from 'node:assert/strict';
import { createServiceClient } from '../../../../src/api/index.ts';
import type { AccountManager } from '../../../../src/features/accounts/accountManager.ts';
import { askToCreate, type CreateOutcome } from '../../../../src/features/interns/createDialog.ts';
import { EMPTY_VALUES } from '../../../../src/features/interns/createValues.ts';
import type { Creations } from '../../../../src/features/interns/creations.ts';
import type { Fault, Service } from '../../../service/service.ts';
import { rootOf } from '../../api/support/fakeFetch.ts';
import { start } from '../../api/support/localService.ts';
import { creating } from '../../support/creating.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';
import { AccountWindow } from '../../support/accountWindow.ts';

const NOW = 'Start provisioning now';
const LATER = 'Provision later';
const RESUME = 'Resume the creation of zoe';

/** The service creates the intern, and its response is lost. */
const lost: Fault = { kind: 'cut', afterBytes: 0 };

function refusal(status: number): Fault {
  const body = JSON.stringify({ error: { code: status, message: `Refused with ${status}` } });
  return { kind: 'respond', status, headers: { 'content-type': 'application/json' }, body };
}

describe('creations over the local service', () => {
  const folder = useTemporaryFolder();
  let service: Service;
  let accounts: AccountManager;
  let dispose: () => void;
  let creations: Creations;
  let header: string;

  beforeEach(async () => {
    service = await start();
    const { ports } = await AccountWindow.signedIn(folder.path, service);
    ({ accounts } = ports);
    header = 'idempotency-key';
    ({ creations, dispose } = creating(ports, () => header));
  });

  afterEach(() => {
    dispose();
    accounts.dispose();
  });

  async function create(...last: readonly Move[]) {
    const dialogs = new ScriptedDialogs(['zoe', '', 'No instructions', LATER, ...last]);
    const outcome: CreateOutcome = await askToCreate(accounts.active!, EMPTY_VALUES, {
      dialogs,
      creations,
      write: () => assert.fail('no editor'),
      idempotencyHeader: () => header,
      late: () => assert.fail('the dialog was not left'),
    });
    return { outcome, shown: dialogs.shown };
  }

  const made = () => service.state.interns().filter(({ name }) => name === 'zoe').length;

  for (const status of [401, 409, 429, 503])
    it(`a creation whose response was lost resumes after the next attempt got ${status}`, async () => {
      // The client repeats requests after 429 and 503.
      const again = status === 429 || status === 503 ? 3 : 1;
      service.faults.next('create', lost, ...Array.from({ length: again }, () => refusal(status)));
      const { outcome, shown } = await create(RESUME);
      assert.match(shown[4]?.refusals[0] ?? '', /intern may have been created/);
      assert.deepEqual([shown[4]?.value, shown[4]?.rows], [RESUME, [NOW, RESUME]]);
      assert.ok(outcome.kind === 'created');
      assert.equal(outcome.creation.intern.name, 'zoe');
      assert.equal(made(), 1);
      assert.deepEqual(await creations.listInterrupted(), []);
    });

  it('the service recognizes a resumed creation by its bytes if no header is sent', async () => {
    header = '';
    service.faults.next('create', lost, refusal(401));
    assert.equal((await create(RESUME)).outcome.kind, 'created');
    assert.equal(made(), 1);
  });

  const notTls = () => {
    const root = rootOf(service.url.replace('http:', 'https:'));
    const client = () => createServiceClient({ root, key: () => 'test-key-owner' });
    Object.assign(accounts, { client });
  };
  const tooMany = () =>
    service.faults.next('create', ...Array.from({ length: 4 }, () => refusal(429)));
  for (const [title, prepare, last, madeThen] of [
    ['every attempt ended in 429', tooMany, LATER, 1],
    ['the service is not there', () => service.close(), LEAVE, 0],
    ['the server does not speak TLS', notTls, LEAVE, 0],
  ] as const)
    it(`the create dialog says that no intern was created if ${title}`, async () => {
      await prepare();
      const { shown } = await create(last);
      assert.match(shown[3]?.refusals[0] ?? '', /The intern wasn’t created\./);
      assert.deepEqual([service.faults.size, made()], [0, madeThen]);
      assert.deepEqual(await creations.listInterrupted(), []);
    });
});
