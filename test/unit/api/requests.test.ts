import assert from 'node:assert/strict';
import {
  chatRequest,
  createBody,
  createRequest,
  keyRequest,
  secretRequest,
  submittedValues,
} from '../../../src/api/requests.ts';
import type { Answer, ChatRequest, ToolCall } from '../../../src/api/types.ts';

const EMPTY = { body: null, headers: {}, secrets: [], submitted: [], names: [] };

const CALL: ToolCall = {
  index: 2,
  id: 'call_1',
  name: 'service.provide_input',
  arguments: '{"kind" : "permission"}',
};

const PROMPT = { kind: 'prompt', text: 'Go on', approvalMode: 'manual', sessionId: null } as const;

function reply(answer: Answer): ChatRequest & { kind: 'answer' } {
  return { kind: 'answer', sessionId: 'session_1', call: CALL, answer };
}

function bodyOf(request: ChatRequest): unknown {
  return JSON.parse(chatRequest('intern_1', request).body ?? '');
}

function refusal(message: string, route: string, kind = 'invalid-request'): object {
  return { name: 'ApiError', kind, route, message, status: null };
}

describe('chatRequest: a prompt', () => {
  // Rules 1.2, 5.1, 5.2, 5.3, 5.4, 5.6, 5.8, 5.9, 6.1, 6.2, 6.3, 6.10, 12.6
  it('a chat request contains only the text and the mode of a prompt', () => {
    assert.deepEqual(chatRequest('intern_1', PROMPT), {
      ...EMPTY,
      route: 'chat',
      method: 'POST',
      path: '/interns/intern_1/chat/completions',
      body: '{"messages":[{"role":"user","content":"Go on"}],"stream":true,"approval_mode":"manual"}',
    });
  });

  // Rule 5.13
  it('a chat request contains the session that a prompt continues', () => {
    assert.deepEqual(bodyOf({ ...PROMPT, approvalMode: 'self-drive', sessionId: 'session_1' }), {
      messages: [{ role: 'user', content: 'Go on' }],
      stream: true,
      approval_mode: 'self-drive',
      session_id: 'session_1',
    });
  });

  // Rule 12.1
  it('a chat request encodes the ID of the intern as one path segment', () => {
    const { path } = chatRequest('a/b?c#d%é', PROMPT);
    assert.equal(path, '/interns/a%2Fb%3Fc%23d%25%C3%A9/chat/completions');
  });

  it('a chat request refuses a prompt outside its limits', () => {
    const rows: readonly (readonly [string, ChatRequest, string])[] = [
      ['..', PROMPT, 'Invalid intern id: not-a-path-segment'],
      ['intern_1', { ...PROMPT, text: ' ' }, 'Invalid prompt: empty'],
      ['intern_1', { ...PROMPT, text: 'x'.repeat(32_001) }, 'Invalid prompt: too-long'],
      ['intern_1', { ...PROMPT, sessionId: '' }, 'Invalid session id: empty'],
      ['intern_1', { ...PROMPT, sessionId: 'x'.repeat(257) }, 'Invalid session id: too-long'],
    ];
    for (const [internId, request, message] of rows)
      assert.throws(() => chatRequest(internId, request), refusal(message, 'chat'));
  });
});

describe('chatRequest: an answer', () => {
  // Rules 5.7, 5.8, 5.9, 5.14, 6.1, 6.2, 6.6, 6.9, 6.10, 6.11, 6.12, 7.1, 8.18, 12.7, 12.8
  it('a chat request contains the unchanged tool call of an answer, without a mode', () => {
    assert.deepEqual(bodyOf(reply({ kind: 'permission', choice: 'allow_once' })), {
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              index: 2,
              id: 'call_1',
              type: 'function',
              function: { name: 'service.provide_input', arguments: '{"kind" : "permission"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'allow_once' },
      ],
      stream: true,
      session_id: 'session_1',
    });
  });

  // Rules 7.3, 7.4, 7.5
  it('a chat request contains the answer to an elicitation as a JSON string', () => {
    const contentOf = (answer: Answer): string => {
      const { messages } = bodyOf(reply(answer)) as { messages: [unknown, { content: string }] };
      return messages[1].content;
    };
    const content = { name: 'é"', count: 2, yes: true, several: ['a', 'b'] };
    assert.equal(
      contentOf({ kind: 'elicitation', action: 'accept', content }),
      '{"action":"accept","content":{"name":"é\\"","count":2,"yes":true,"several":["a","b"]}}',
    );
    const none = { kind: 'elicitation', action: 'accept', content: {} } as const;
    assert.equal(contentOf(none), '{"action":"accept","content":{}}');
    for (const action of ['decline', 'cancel'] as const)
      assert.equal(contentOf({ kind: 'elicitation', action }), `{"action":"${action}"}`);
  });

  it('a chat request lists as secrets only the values typed into secret fields', () => {
    const names = ['password', 'pin_key', 'tokens', 'city', 'isToken'];
    const fields = [...names.map((name) => ({ name })), { name: 'api_key', options: ['staging'] }];
    const text = JSON.stringify({ kind: 'elicitation', message: '', fields });
    const asked: ToolCall = { ...CALL, name: 'service.provide_input', arguments: text };
    const content = {
      password: 'test-hunter2',
      pin_key: 4821,
      tokens: ['first', 'x'],
      city: 'Paris',
      isToken: true,
      api_key: 'staging',
    };
    const secretsOf = (answer: Answer) =>
      chatRequest('intern', { ...reply(answer), call: asked }).secrets;
    const entered = secretsOf({ kind: 'elicitation', action: 'accept', content });
    assert.deepEqual(entered, ['test-hunter2', '4821', 'first']);
    assert.deepEqual(secretsOf({ kind: 'elicitation', action: 'decline' }), []);
    assert.deepEqual(secretsOf({ kind: 'permission', choice: 'cancel' }), []);
  });

  it('a chat request lists all submitted values of six characters or more', () => {
    const tags = ['second', 'third'];
    const content = { dsn: 'sqlite', port: 543210, tls: true, tags, zone: '12345' };
    const submittedBy = (answer: Answer) => chatRequest('intern', reply(answer)).submitted;
    const accepted = { kind: 'elicitation', action: 'accept', content } as const;
    assert.deepEqual(submittedBy(accepted), ['sqlite', '543210', 'second']);
    assert.deepEqual(submittedValues(accepted), ['sqlite', '543210', 'second']);
    assert.deepEqual(submittedBy({ kind: 'elicitation', action: 'decline' }), []);
    assert.deepEqual(submittedBy({ kind: 'permission', choice: 'allow_always' }), []);
    assert.deepEqual(chatRequest('intern', PROMPT).submitted, []);
  });

  // Rule 6.8
  it('a chat request refuses an answer whose tool call ID is outside its limits', () => {
    const good = reply({ kind: 'permission', choice: 'cancel' });
    for (const [id, problem] of [
      ['', 'empty'],
      ['x'.repeat(129), 'too-long'],
    ] as const)
      assert.throws(
        () => chatRequest('intern_1', { ...good, call: { ...CALL, id } }),
        refusal(`Invalid tool call id: ${problem}`, 'chat'),
      );
  });

  // Rule 12.2
  it('a chat request refuses an answer above 1,048,576 bytes, by an error without its content', () => {
    const content = { private: 'x'.repeat(1_048_576) };
    assert.throws(
      () => chatRequest('intern_1', reply({ kind: 'elicitation', action: 'accept', content })),
      (error: Error) => {
        assert.match(error.message, /^The request body has 1048\d{3} bytes of at most 1048576$/);
        assert.equal(JSON.stringify(error).includes('xxx'), false);
        return 'kind' in error && error.kind === 'payload-too-large';
      },
    );
  });
});

describe('keyRequest', () => {
  // Rule 13.2
  it('a key request is a GET without a body', () => {
    assert.deepEqual(keyRequest, { ...EMPTY, route: 'key', method: 'GET', path: '/key' });
  });
});

describe('createBody and createRequest', () => {
  const body = '{ "name":"ada",  "unusual": "spacing" }';
  const DRAFT = { name: 'ada', description: null, instructions: null, provision: false };

  // Rules 10.10, 10.11, 14.7, 14.9, 14.13
  it('a create request writes the fields of a new intern in a fixed order', () => {
    const draft = { ...DRAFT, provision: true, instructions: 'Be "kind".\n', description: 'é' };
    const expected =
      '{"name":"ada","description":"é","instructions":"Be \\"kind\\".\\n","provision":true}';
    assert.equal(createBody(draft), expected);
  });

  it('a create request leaves out an empty description and empty instructions', () => {
    for (const draft of [DRAFT, { ...DRAFT, description: '', instructions: '' }])
      assert.equal(createBody(draft), '{"name":"ada","provision":false}');
  });

  it('a create request sends the stored body unchanged', () => {
    const expected = { ...EMPTY, route: 'create', method: 'POST', path: '/interns', body };
    assert.deepEqual(createRequest({ body, idempotency: null }), expected);
  });

  // Rule 14.12
  it('a create request refuses a header that replaces another one or ends its line', () => {
    const rows = [
      ['Authorization', 'x', 'Invalid idempotency header: reserved'],
      ['a b', 'x', 'Invalid idempotency header: not-a-token'],
      ['X-Key', '', 'Invalid idempotency key: invalid'],
      ['X-Key', 'a\r\nb', 'Invalid idempotency key: invalid'],
      ['X-Key', 'é', 'Invalid idempotency key: invalid'],
      ['X-Key', 'a b', 'Invalid idempotency key: invalid'],
    ] as const;
    for (const [name, value, message] of rows) {
      const idempotency = { name, value };
      assert.throws(() => createRequest({ body, idempotency }), refusal(message, 'create'));
    }
  });

  // Rule 14.1
  it('a create request refuses a body above 1,048,576 bytes', () => {
    assert.equal(createRequest({ body: 'x'.repeat(1_048_576), idempotency: null }).route, 'create');
    const message = 'The request body has 1048577 bytes of at most 1048576';
    assert.throws(
      () => createRequest({ body: 'x'.repeat(1_048_577), idempotency: null }),
      refusal(message, 'create', 'payload-too-large'),
    );
  });
});

describe('secretRequest', () => {
  // Rule 15.8
  it('a secret request writes normalized hosts and lists the value as secret', () => {
    const hosts = ['API.example.com.', 'api.example.com', 'b.example'];
    assert.deepEqual(secretRequest('github_token', { hosts, value: 'test-value' }), {
      ...EMPTY,
      route: 'secret',
      method: 'PUT',
      path: '/vault/secrets/github_token',
      body: '{"hosts":["api.example.com","b.example"],"value":"test-value"}',
      secrets: ['test-value'],
      names: ['github_token', 'api.example.com', 'b.example'],
    });
  });

  it('a secret request refuses values outside its limits, by an error without the value', () => {
    const good = { hosts: ['a.example'], value: 'test-value' };
    const rows = [
      ['A', good, 'Invalid secret name: uppercase'],
      ['a/b', good, 'Invalid secret name: character'],
      ['a', { ...good, value: '' }, 'Invalid secret value: empty'],
      ['a', { ...good, value: 'x'.repeat(65_537) }, 'Invalid secret value: too-long'],
      ['a', { ...good, hosts: [] }, 'Invalid hosts: none'],
      ['a', { ...good, hosts: ['a:1'] }, 'Invalid hosts: port'],
    ] as const;
    for (const [name, secret, message] of rows)
      assert.throws(() => secretRequest(name, secret), refusal(message, 'secret'));
  });
});
