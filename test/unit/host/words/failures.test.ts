import assert from 'node:assert/strict';
import { ApiError, type Reason, type Route } from '../../../../src/api/index.ts';
import { kindOfRefusal } from '../../../../src/api/errorKinds.ts';
import type { ActionId } from '../../../../src/protocol/view.ts';
import { actionCommand, actionLabel } from '../../../../src/host/words/actions.ts';
import { explainFailure } from '../../../../src/host/words/failures.ts';
import { sentences } from '../../../../src/host/words/report.ts';

/** A failure of the interface, and what its words must say and offer first. */
interface Expectation {
  readonly route: Route;
  readonly status: number;
  readonly reason: Reason | null;
  readonly says: RegExp;
  readonly offers: ActionId | null;
}

/** The interface's table "Chat route". */
const beforeStreaming: readonly Expectation[] = [
  {
    route: 'chat',
    status: 400,
    reason: 'bad_request',
    says: /did not accept what was sent.*may not have accepted it/,
    offers: 'editLast',
  },
  {
    route: 'chat',
    status: 401,
    reason: null,
    says: /does not know this API key.*are kept/,
    offers: 'signIn',
  },
  { route: 'chat', status: 403, reason: null, says: /left the organization/, offers: 'signIn' },
  { route: 'chat', status: 404, reason: null, says: /interns programme/, offers: 'signIn' },
  {
    route: 'chat',
    status: 404,
    reason: 'not_found',
    says: /does not know this intern/,
    offers: 'chooseIntern',
  },
  {
    route: 'chat',
    status: 404,
    reason: 'interaction_unknown',
    says: /no such question/,
    offers: 'retry',
  },
  { route: 'chat', status: 409, reason: 'intern_not_ready', says: /not running/, offers: 'retry' },
  { route: 'chat', status: 409, reason: 'busy', says: /Another turn is running/, offers: 'retry' },
  {
    route: 'chat',
    status: 409,
    reason: 'interaction_not_pending',
    says: /no longer waiting/,
    offers: 'retry',
  },
  {
    route: 'chat',
    status: 409,
    reason: 'attachment_failed',
    says: /attached to this run/,
    offers: 'retry',
  },
  {
    route: 'chat',
    status: 410,
    reason: 'attachment_failed',
    says: /can no longer be resumed/,
    offers: 'retry',
  },
  { route: 'chat', status: 413, reason: 'payload_too_large', says: /1 MiB/, offers: 'editLast' },
  { route: 'chat', status: 429, reason: 'rate_limited', says: /Too many turns/, offers: 'retry' },
  {
    route: 'chat',
    status: 502,
    reason: 'intern_unreachable',
    says: /could not reach the intern/,
    offers: 'retry',
  },
  {
    route: 'chat',
    status: 502,
    reason: 'intern_rejected',
    says: /rejected the request/,
    offers: 'retry',
  },
  {
    route: 'chat',
    status: 502,
    reason: 'turn_failed',
    says: /refused the turn.*before any output/,
    offers: 'retry',
  },
  {
    route: 'chat',
    status: 502,
    reason: 'stream_severed',
    says: /before the turn started/,
    offers: 'retry',
  },
  {
    route: 'chat',
    status: 503,
    reason: 'busy',
    says: /cannot hold another run open/,
    offers: 'retry',
  },
  {
    route: 'chat',
    status: 504,
    reason: 'timeout',
    says: /intern did not answer in time/,
    offers: 'retry',
  },
];

/** The interface's table "Other routes", and what it says of keys. */
const otherRoutes: readonly Expectation[] = [
  { route: 'key', status: 401, reason: null, says: /does not know this API key/, offers: 'signIn' },
  { route: 'key', status: 500, reason: null, says: /The service failed/, offers: 'retry' },
  { route: 'create', status: 413, reason: null, says: /Shorten the instructions/, offers: null },
  { route: 'create', status: 404, reason: null, says: /interns programme/, offers: 'signIn' },
  {
    route: 'secret',
    status: 404,
    reason: null,
    says: /vault is not available.*interns programme/,
    offers: 'signIn',
  },
  { route: 'secret', status: 503, reason: null, says: /turned off.*not stored/, offers: 'signIn' },
  {
    route: 'create',
    status: 422,
    reason: null,
    says: /Possible causes: .*name.*workspace.*regional hostname/,
    offers: null,
  },
  {
    route: 'secret',
    status: 409,
    reason: null,
    says: /Possible causes: .*hosts.*regional hostname/,
    offers: 'openLog',
  },
];

/** The reasons of "Errors after streaming began", under a status that the failure would have had. */
const inStream: readonly Expectation[] = [
  {
    route: 'chat',
    status: 409,
    reason: 'attachment_failed',
    says: /attached to this run/,
    offers: 'retry',
  },
  { route: 'chat', status: 409, reason: 'busy', says: /Another turn/, offers: 'retry' },
  {
    route: 'chat',
    status: 499,
    reason: 'client_closed_request',
    says: /saw this editor leave/,
    offers: 'retry',
  },
  {
    route: 'chat',
    status: 409,
    reason: 'interaction_not_pending',
    says: /no longer waiting/,
    offers: 'retry',
  },
  {
    route: 'chat',
    status: 404,
    reason: 'interaction_unknown',
    says: /no such question/,
    offers: 'retry',
  },
  {
    route: 'chat',
    status: 502,
    reason: 'intern_unreachable',
    says: /could not reach/,
    offers: 'retry',
  },
  {
    route: 'chat',
    status: 410,
    reason: 'run_ended',
    says: /cancelled or ran out of time/,
    offers: 'retry',
  },
  {
    route: 'chat',
    status: 502,
    reason: 'stream_severed',
    says: /broke off.*starts the work anew/,
    offers: 'retry',
  },
  {
    route: 'chat',
    status: 504,
    reason: 'timeout',
    says: /did not answer in time/,
    offers: 'retry',
  },
  {
    route: 'chat',
    status: 502,
    reason: 'turn_failed',
    says: /turn of the intern failed.*is kept/,
    offers: 'retry',
  },
];

function failureOf({ route, status, reason }: Expectation, streaming: boolean): ApiError {
  const kind = kindOfRefusal({ route, status, reason });
  const message = 'The service says so.';
  return new ApiError({ kind, route, status, reason, message, inStream: streaming });
}

function describeTable(expectations: readonly Expectation[], streaming: boolean): void {
  for (const expected of expectations) {
    const { route, status, reason, says, offers } = expected;
    it(`of ${route} ${status} ${reason ?? 'without a reason'} say what it means and what to do`, () => {
      const explanation = explainFailure(failureOf(expected, streaming));
      assert.match(`${explanation.title}. ${explanation.detail}`, says);
      assert.equal(explanation.actions[0] ?? null, offers);
      assert.equal(explanation.serviceSays, 'The service says so.');
      assert.doesNotMatch(explanation.title, /\.$/);
      assert.match(explanation.detail, /[.…]$/);
    });
  }
}

describe('the words before streaming', () => {
  describeTable(beforeStreaming, false);
});

describe('the words of the other routes', () => {
  describeTable(otherRoutes, false);
});

describe('the words in a stream', () => {
  describeTable(inStream, true);
});

describe('the words of a failure', () => {
  const facts = { route: 'chat', status: 400, reason: null, inStream: false } as const;

  it("make the service's sentence inert: no link that would run a command, one line, not too long", () => {
    const message = `[Fix it](command:workbench.action.quit)\n$(alert) ${'x'.repeat(5_000)}`;
    const { serviceSays } = explainFailure({ ...facts, kind: 'refused', message });
    assert.ok(!serviceSays.includes(']('));
    assert.ok(!serviceSays.includes('$('));
    assert.ok(!serviceSays.includes('\n'));
    assert.ok(serviceSays.length < 400);
  });

  it('quote nobody where the message is a technical one of ours', () => {
    for (const [kind, status, message] of [
      ['network', null, 'The connection failed (ECONNREFUSED)'],
      ['not-the-service', 404, 'HTTP 404'],
      ['redirect', 302, 'HTTP 302'],
      ['server-error', 502, 'HTTP 502'],
      ['signed-out', null, 'There is no usable key'],
      ['severed', 0, 'The stream fell silent'],
    ] as const)
      assert.equal(explainFailure({ ...facts, kind, status, message }).serviceSays, '', kind);
  });

  it('tell a lost key from one that the service does not know', () => {
    const lost = explainFailure({ ...facts, kind: 'signed-out', status: null, message: '' });
    const unknown = explainFailure({ ...facts, kind: 'signed-out', status: 401, message: 'No' });
    assert.match(lost.title, /needs its API key again/);
    assert.notEqual(lost.title, unknown.title);
  });

  it('say that a create whose outcome is not known can be resumed without a second intern', () => {
    for (const kind of ['server-error', 'timeout'] as const) {
      const { detail } = explainFailure({ ...facts, route: 'create', kind, message: '' });
      assert.match(detail, /never creates a second one/);
    }
  });

  it('run on as sentences where they stand together', () => {
    const explanation = explainFailure({ ...facts, kind: 'busy', message: 'Busy.' });
    assert.equal(
      sentences(explanation),
      'Another turn is running in this session. Try again when it has ended, or start a new conversation. The service says: “Busy.”',
    );
  });
});

describe('ways out', () => {
  it('each have a label, and a command where they make sense outside of a conversation', () => {
    assert.equal(actionLabel('signIn'), 'Sign In');
    assert.equal(actionCommand('signIn'), 'interns.signIn');
    assert.equal(actionCommand('openLog'), 'interns.showLog');
    assert.equal(actionCommand('retry'), undefined);
  });
});
