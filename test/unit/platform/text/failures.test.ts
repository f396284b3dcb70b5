import assert from 'node:assert/strict';
import { ApiError, type ApiErrorKind, type Reason, type Route } from '../../../../src/api/index.ts';
import { kindOfRefusal } from '../../../../src/api/errors.ts';
import { readRetryAfter } from '../../../../src/api/responses.ts';
import type { ActionId } from '../../../../src/protocol/view.ts';
import { formatDateTime } from '../../../../src/platform/text/format.ts';
import { explainFailure } from '../../../../src/platform/text/failures.ts';
import { explanationMessage } from '../../../../src/platform/text/reportFailure.ts';

/** A failure that the API describes, and what its message must say and offer first. */
type Expectation = readonly [
  route: Route,
  status: number,
  reason: Reason | null,
  says: RegExp,
  offers: ActionId | null,
];

/** The interface's table "Chat route". */
const beforeStreaming: readonly Expectation[] = [
  ['chat', 400, 'bad_request', /service refused the input.*isn’t valid/, 'editLast'],
  ['chat', 401, null, /Unknown API key.*are kept/, 'signIn'],
  ['chat', 403, null, /left the organization/, 'signIn'],
  ['chat', 404, null, /interns program/, 'signIn'],
  ['chat', 404, 'not_found', /Unknown intern/, 'continueInNew'],
  ['chat', 404, 'interaction_unknown', /doesn’t know this question/, 'retry'],
  ['chat', 409, 'intern_not_ready', /isn’t running/, 'retry'],
  ['chat', 409, 'busy', /Another run is active/, 'retry'],
  ['chat', 409, 'interaction_not_pending', /question has closed/, 'retry'],
  ['chat', 409, 'attachment_failed', /already open elsewhere/, 'retry'],
  ['chat', 410, 'attachment_failed', /can’t be resumed/, 'retry'],
  ['chat', 413, 'payload_too_large', /1 MiB/, 'editLast'],
  ['chat', 429, 'rate_limited', /Too many runs/, 'retry'],
  ['chat', 502, 'intern_unreachable', /couldn’t reach the intern/, 'retry'],
  ['chat', 502, 'intern_rejected', /didn’t accept the request/, 'retry'],
  ['chat', 502, 'turn_failed', /didn’t accept the prompt.*without output/, 'retry'],
  ['chat', 502, 'stream_severed', /before the run started/, 'retry'],
  ['chat', 503, 'busy', /too many open runs/, 'retry'],
  ['chat', 504, 'timeout', /intern didn’t respond in time/, 'retry'],
];

/** The interface's table "Other routes", and what it says of keys. */
const otherRoutes: readonly Expectation[] = [
  ['key', 401, null, /Unknown API key/, 'signIn'],
  ['key', 500, null, /Service error/, 'retry'],
  ['create', 413, null, /Shorten the instructions/, null],
  ['create', 404, null, /interns program/, 'signIn'],
  ['secret', 404, null, /Vault not available.*interns program/, 'signIn'],
  ['secret', 503, null, /turned off.*wasn’t stored/, 'signIn'],
  [
    'create',
    422,
    null,
    /name may be taken.*API key, its workspace or a regional service URL/,
    null,
  ],
  [
    'create',
    403,
    null,
    /may have left the organization.*may not allow creating interns/,
    'openLog',
  ],
  ['secret', 403, null, /may have left the organization.*may not allow storing secrets/, 'openLog'],
  ['secret', 409, null, /name, value or a host.*API key or a regional service URL/, 'openLog'],
];

/** The reasons of "Errors after streaming began", under a status that the failure would have had. */
const inStream: readonly Expectation[] = [
  ['chat', 409, 'attachment_failed', /already open elsewhere/, 'retry'],
  ['chat', 409, 'busy', /Another run/, 'retry'],
  ['chat', 499, 'client_closed_request', /connection closed, and the run was canceled/, 'retry'],
  ['chat', 409, 'interaction_not_pending', /question has closed/, 'retry'],
  ['chat', 404, 'interaction_unknown', /doesn’t know this question/, 'retry'],
  ['chat', 502, 'intern_unreachable', /couldn’t reach/, 'retry'],
  ['chat', 410, 'run_ended', /canceled or ran out of time/, 'retry'],
  ['chat', 502, 'stream_severed', /connection was lost.*start over/, 'retry'],
  ['chat', 504, 'timeout', /didn’t respond in time/, 'retry'],
  ['chat', 502, 'turn_failed', /run failed.*is kept/, 'retry'],
];

function describeTable(expectations: readonly Expectation[], streaming: boolean): void {
  for (const [route, status, reason, says, offers] of expectations)
    it(`explainFailure explains ${route} ${status} ${reason ?? 'without a reason'}${streaming ? ' in a stream' : ''}`, () => {
      const kind = kindOfRefusal({ route, status, reason });
      const message = 'The service says so.';
      const explanation = explainFailure(
        new ApiError({ kind, route, status, reason, message, inStream: streaming }),
      );
      assert.match(`${explanation.title}. ${explanation.detail}`, says);
      assert.equal(explanation.actions[0] ?? null, offers);
      assert.equal(explanation.serviceMessage, message);
      assert.doesNotMatch(explanation.title, /\.$/);
      assert.match(explanation.detail, /[.…]$/);
    });
}

describe('explainFailure', () => {
  describeTable([...beforeStreaming, ...otherRoutes], false);
  describeTable(inStream, true);

  const facts = { route: 'chat', status: 400, reason: null, inStream: false } as const;

  it('the explanation of a failure quotes the service in one short line of inert text', () => {
    const message = `[Fix it](command:workbench.action.quit)\n$(alert) ${'x'.repeat(5_000)}`;
    const { serviceMessage } = explainFailure({ ...facts, kind: 'refused', message });
    assert.ok(!serviceMessage.includes(']('));
    assert.ok(!serviceMessage.includes('$('));
    assert.ok(!serviceMessage.includes('\n'));
    assert.ok(serviceMessage.length < 400);
  });

  it('the explanation of a failure quotes none of our own technical messages', () => {
    for (const [kind, status, message] of [
      ['network', null, 'The connection failed (ECONNREFUSED)'],
      ['not-the-service', 404, 'HTTP 404'],
      ['redirect', 302, 'HTTP 302'],
      ['server-error', 502, 'HTTP 502'],
      ['signed-out', null, 'There is no usable key'],
      ['severed', 0, 'The stream fell silent'],
    ] as const)
      assert.equal(explainFailure({ ...facts, kind, status, message }).serviceMessage, '', kind);
  });

  it('the explanation of a redirect names the new address only if it is known', () => {
    const redirect = { ...facts, kind: 'redirect', status: 302, message: '' } as const;
    const origin = 'https://$(zap).example';
    const known = explainFailure({ ...redirect, redirectedTo: origin }).detail;
    assert.match(known, /If you trust https:\/\/\$\u200b\(zap\)\.example, sign in with it/);
    for (const unknown of [redirect, { ...redirect, redirectedTo: null }])
      assert.match(explainFailure(unknown).detail, /API key\. Check the service URL\.$/);
  });

  it('the explanation of a dead stream keeper does not blame the network', () => {
    for (const code of ['ERR_KEEPER_LOST', 'ERR_RESPONSE_UNREADABLE']) {
      const failure = { ...facts, kind: 'network', status: null, code, message: '' } as const;
      const { title, detail } = explainFailure(failure);
      assert.equal(title, 'The connection was lost');
      assert.doesNotMatch(detail, /network/);
    }
  });

  it('the explanation of a cancellation says once that the request was canceled', () => {
    const explanation = explainFailure({ ...facts, kind: 'aborted', status: null, message: '' });
    assert.equal(explanationMessage(explanation), 'The request was canceled.');
  });

  it('the explanation of a lost key differs from that of an unknown one', () => {
    const lost = explainFailure({ ...facts, kind: 'signed-out', status: null, message: '' });
    const unknown = explainFailure({ ...facts, kind: 'signed-out', status: 401, message: 'No' });
    assert.match(lost.title, /API key is missing/);
    assert.notEqual(lost.title, unknown.title);
  });

  it('the explanation of a 403 without a body blames the API key, not the prompt', () => {
    const refused = { ...facts, kind: 'refused', status: 403, message: 'HTTP 403' } as const;
    assert.match(explainFailure(refused).detail, /^The API key may not be allowed to do this/);
  });

  it('the explanation of an unlisted refusal does not claim that the prompt is invalid', () => {
    for (const status of [402, 405, 407]) {
      const kind = kindOfRefusal({ route: 'chat', status, reason: null });
      const { detail, actions } = explainFailure({ ...facts, kind, status, message: '' });
      assert.match(detail, /may not be allowed.*Try again later\.$/);
      assert.equal(actions[0], 'retry');
    }
  });

  it('the explanation of a failure names an unlisted finish reason as inert text', () => {
    const ended = { ...facts, kind: 'unlisted-finish', status: null, message: 'x' } as const;
    const titleOf = (reason: string) => explainFailure({ ...ended, reason }).title;
    assert.equal(titleOf('content_filter'), 'The reply ended with “content_filter”');
    assert.ok(!titleOf('[a](command:b)').includes(']('));
    assert.ok(titleOf('x'.repeat(5_000)).length < 100);
  });

  it('the explanation of a failure names the end of a long wait that the service asks for', () => {
    const busy = { ...facts, kind: 'rate-limited', message: '' } as const;
    const at = Date.UTC(2026, 0, 15, 9, 30);
    const { detail } = explainFailure({ ...busy, retryAfterMs: 600_000 }, at);
    assert.ok(
      detail.endsWith(`The service asks you to wait until ${formatDateTime(at + 600_000)}.`),
    );
    for (const retryAfterMs of [null, 0, 30_000])
      assert.doesNotMatch(explainFailure({ ...busy, retryAfterMs }, at).detail, /asks you to wait/);
  });

  it('a failure can be shown however long the service asks to wait', () => {
    for (const header of ['1800000000000000', '9'.repeat(400)]) {
      const retryAfterMs = readRetryAfter(header, Date.now());
      const { detail } = explainFailure({ ...facts, kind: 'busy', message: '', retryAfterMs });
      assert.match(detail, /asks you to wait until/);
    }
  });

  it('a failure that a later version recorded is explained in the words of the service', () => {
    const kind = 'out-of-credit' as ApiErrorKind;
    const failure = { ...facts, kind, message: 'No credit.', inStream: true };
    const { title, serviceMessage } = explainFailure(failure);
    assert.equal(title, 'The run failed for an unknown reason');
    assert.equal(serviceMessage, 'No credit.');
  });

  it('the explanation of a failure can become running text', () => {
    const explanation = explainFailure({ ...facts, kind: 'busy', message: 'Busy.' });
    const text = explanationMessage(explanation);
    assert.match(
      text,
      /^Another run is active in this session\. Try .* The service says: “Busy\.”$/,
    );
  });
});
