import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiError, type ApiErrorInit, type ServiceUrl } from '../../../../src/api/index.ts';
import { DisposableStore } from '../../../../src/base/disposable.ts';
import type { Account, Accounts } from '../../../../src/features/accounts/account.ts';
import { registerAccounts } from '../../../../src/features/accounts/accountCommands.ts';
import { signIn, type SignInOptions } from '../../../../src/features/accounts/signIn.ts';
import { never } from '../../support/chatPages.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { BACK, LEAVE, ScriptedDialogs } from '../../support/scriptedDialogs.ts';
import { useStubs } from '../../support/stubEditor.ts';

const root = 'https://interns.example.com/api/v1';
const bare = 'https://interns.example.com';
const account = { id: 'one' } as Account;
const KEY = 'test-key-owner';

/** Runs the dialog with one response of the service for each try. */
async function run(
  script: readonly (string | symbol)[],
  answers: readonly (Partial<ApiErrorInit> | 'ok')[],
  options: Partial<SignInOptions> = {},
) {
  const dialogs = new ScriptedDialogs(script as readonly string[]);
  const tried: { root: ServiceUrl; key: string }[] = [];
  const accounts = {
    signIn: (tryRoot: ServiceUrl, key: string): Promise<Account> => {
      const answer = answers[tried.length] ?? 'ok';
      tried.push({ root: tryRoot, key });
      if (answer === 'ok') return Promise.resolve(account);
      const init = { kind: 'network', route: 'key', message: '', ...answer } as const;
      return Promise.reject(new ApiError(init));
    },
  };
  const result = await signIn({ accounts, dialogs, ...options });
  return { result, tried, shown: dialogs.shown };
}

describe('Sign In…', () => {
  const stub = useStubs();
  let registered: DisposableStore;

  beforeEach(() => (registered = new DisposableStore()));
  afterEach(() => registered.dispose());

  it('sign-in asks for the URL, then for the masked key', async () => {
    const { result, tried, shown } = await run([root, KEY], []);
    assert.equal(result, account);
    assert.deepEqual(tried, [{ root, key: KEY }]);
    assert.deepEqual([shown[0]?.password, shown[1]?.password], [false, true]);
  });

  it('sign-in skips the URL if a valid one is set', async () => {
    const settled = await run([KEY], [], { root });
    assert.equal(settled.tried[0]?.root, root);
    const broken = await run([root, KEY], [], { root: 'interns.example.com' });
    assert.equal(broken.shown[0]?.value, 'interns.example.com');
    assert.equal(broken.tried[0]?.root, root);
  });

  /** Registers the commands of accounts, whose user follows the script. Returns a function that signs in. */
  function register(
    script: readonly (string | symbol)[],
    {
      baseUrl = '',
      ...accounts
    }: Partial<Pick<Accounts, 'active' | 'signedOutRoot'>> & {
      readonly baseUrl?: string;
    },
  ) {
    const nothing = (): void => undefined;
    const item = { show: nothing, hide: nothing, dispose: nothing };
    stub(vscode.window, { createStatusBarItem: () => item, onDidChangeWindowState: never });
    const registerAuthenticationProvider = (id: string) => {
      assert.equal(id, 'interns');
      return { dispose: nothing };
    };
    stub(vscode.authentication, { registerAuthenticationProvider });
    const fake = new FakeAccounts();
    const { registrar } = fake;
    const tried: string[] = [];
    const trySignIn = (tryRoot: string) => Promise.resolve(void tried.push(tryRoot));
    const dialogs = new ScriptedDialogs(script as readonly string[]);
    const commands = registerAccounts({
      ...{ ...fake.ports, registrar, dialogs, settings: { baseUrl } },
      accounts: { ...fake.accounts, signIn: trySignIn, ...accounts },
      costs: { of: () => Promise.resolve(undefined), onDidChange: never },
    } as unknown as Parameters<typeof registerAccounts>[0]);
    registered.add(commands);
    const run = (...targets: readonly object[]) => registrar.run('interns.signIn', targets);
    return { fake, tried, dialogs, run };
  }

  it('sign-in asks for no URL if its account or the setting has one', async () => {
    const { fake, tried, run } = register([KEY, KEY], { baseUrl: root });
    await run();
    await run({ account: fake.other.id });
    assert.deepEqual(tried, [root, fake.other.record.root]);
  });

  it('sign-in proposes the URL of the account that was signed out last', async () => {
    const { dialogs, run } = register([LEAVE], { active: undefined, signedOutRoot: root });
    await run();
    assert.equal(dialogs.shown[0]?.value, root);
  });

  it('sign-in refuses URLs and keys that stay invalid after cleaning', async () => {
    const roots = ['', 'http://interns.example.com', `${root}?a=b`, `  ${root}/ `];
    const keys = ['', 'two words', ' "Bearer test-key-owner" '];
    const { tried, shown } = await run([...roots, ...keys], []);
    assert.deepEqual(tried, [{ root, key: KEY }]);
    assert.equal(shown[0]?.refusals.length, 3);
    assert.equal(shown[1]?.refusals.length, 2);
  });

  it('the key box names the server that gets the key', async () => {
    const other = 'https://other.example.com/api/v1';
    const { tried, shown } = await run([KEY, other, KEY], [{ kind: 'network' }], { root });
    assert.equal(tried[1]?.root, other);
    const [first, , second] = shown.map(({ prompt }) => prompt);
    assert.match(first ?? '', /for interns\.example\.com\./);
    assert.match(second ?? '', /for other\.example\.com\./);
  });

  it('sign-in stays in the key box after a wrong key', async () => {
    const wrong = { kind: 'signed-out', status: 401, message: 'User not found.' } as const;
    const { tried, shown } = await run([root, 'test-key-wrong', KEY], [wrong]);
    assert.equal(tried.length, 2);
    assert.equal(shown.length, 2);
    assert.match(shown[1]?.refusals[0] ?? '', /Unknown API key.*“User not found\.”/);
  });

  for (const [failure, answer, words] of [
    ['a refused connection', { kind: 'network', code: 'ECONNREFUSED' }, /connection was refused/],
    ['an unknown host', { kind: 'network', code: 'ENOTFOUND' }, /wasn’t found/],
    ['a server without TLS', { kind: 'tls', code: 'EPROTO' }, /doesn’t use TLS/],
    ['a redirect', { kind: 'redirect', status: 302 }, /Redirects aren’t followed/],
    ['another server', { kind: 'not-the-service', status: 200 }, /isn’t an intern service/],
  ] as const)
    it(`sign-in returns to the URL with both values after ${failure}`, async () => {
      const { shown, tried } = await run([root, KEY, root, KEY], [answer]);
      assert.match(shown[2]?.refusals[0] ?? '', words);
      assert.deepEqual([shown[2]?.value, shown[3]?.value], [root, KEY]);
      assert.equal(tried.length, 2);
    });

  it('sign-in proposes the version prefix if another server responds', async () => {
    const failure = { kind: 'not-the-service', status: 404 } as const;
    const { shown, tried, result } = await run([bare, KEY, root], [failure]);
    assert.equal(result, account);
    assert.deepEqual(tried, [
      { root: bare, key: KEY },
      { root, key: KEY },
    ]);
    assert.deepEqual(shown[2]?.rows, [root, bare]);
    // Otherwise Enter would only select the refusal above the rows.
    assert.equal(shown[2].value, root);
    assert.match(shown[2].refusals[0] ?? '', /isn’t an intern service/);
  });

  it('sign-in proposes no prefix again once the user kept the URL as entered', async () => {
    const failure = { kind: 'not-the-service', status: 404 } as const;
    const { shown, tried } = await run([`${bare}/`, KEY, bare, LEAVE], [failure, failure]);
    assert.deepEqual([tried[0]?.root, tried[1]?.root], [bare, bare]);
    assert.equal(shown.at(-1)?.value, bare);
  });

  it('sign-in returns to the key if the proposed URL is right and the key is wrong', async () => {
    const failures = [
      { kind: 'not-the-service', status: 404 },
      { kind: 'signed-out', status: 401 },
    ] as const;
    const { shown, tried, result } = await run([bare, 'test-key-wrong', root, KEY], failures);
    assert.equal(result, account);
    assert.deepEqual(tried.at(-1), { root, key: KEY });
    const { value, refusals } = shown.at(-1) ?? assert.fail('no box was shown');
    assert.equal(value, 'test-key-wrong');
    assert.match(refusals[0] ?? '', /Unknown API key/);
  });

  it('sign-in adds https:// to a host, and to nothing that may be a key', async () => {
    for (const host of ['interns.example.com/api/v1', ' Interns.Example.com:443/api/v1/ ']) {
      const { tried } = await run([host, KEY], []);
      assert.deepEqual(tried, [{ root, key: KEY }]);
    }
    const others = ['localhost:1234', 'test-key-owner', 'ftp://a.example', 'https:/a.example'];
    const { shown, tried } = await run([...others, LEAVE], []);
    assert.deepEqual([shown[0]?.refusals.length, tried], [others.length, []]);
  });

  it('sign-in sends nothing when the user leaves', async () => {
    const { result, tried } = await run([root, BACK, LEAVE], []);
    assert.equal(result, undefined);
    assert.deepEqual(tried, []);
  });

  it('a refused sign-in shows no key', async () => {
    const refused = { kind: 'refused', status: 400, message: 'Bad request' } as const;
    const keys = ['test key owner', 'test-key-ówner', KEY, KEY];
    const { shown } = await run([root, ...keys], [refused]);
    assert.doesNotMatch(JSON.stringify(shown.map(({ refusals }) => refusals)), /test.key/);
  });
});
