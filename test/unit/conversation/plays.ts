import assert from 'node:assert/strict';
import { ApiError, type ChatEvent } from '../../../src/api/index.ts';
import type { ApprovalMode } from '../../../src/base/approvalMode.ts';
import type { EntryBody, JournalEntry } from '../../../src/conversation/journal.ts';
import type { SelfDriveTerm } from '../../../src/conversation/machine/state.ts';
import type { WhenUnanswered } from '../../../src/conversation/questions/unanswered.ts';
import { headerView } from '../../../src/features/chatPanel/present/messageView.ts';
import { statusView } from '../../../src/features/chatPanel/present/statusView.ts';
import { questionView } from '../../../src/features/conversations/questionView.ts';
import { Stage } from './conversationStage.ts';
import { endEvent, interaction, permissionCall, type Failure } from './fakeExchange.ts';
import { START } from './questions/fakes.ts';
import { messageContext, statusContext } from './viewContexts.ts';

/** A question that can’t be displayed. */
export function unreadable(text: string): ChatEvent {
  return {
    kind: 'interaction',
    call: { ...permissionCall('call-u'), arguments: text },
  };
}

/** The failures that steps name, as the service reports them. */
const failures: Readonly<Record<string, Failure>> = {
  busy: { kind: 'busy', status: 409, reason: 'busy' },
  'not-ready': { kind: 'not-ready', status: 409, reason: 'intern_not_ready' },
  'rate-limited': { kind: 'rate-limited', status: 429, reason: 'rate_limited' },
  'signed-out': { kind: 'signed-out', status: 401 },
  'turn-failed': { kind: 'turn-failed', status: 502, reason: 'turn_failed' },
  'broken-stream': { kind: 'broken-stream', inStream: true },
  severed: { kind: 'severed', inStream: true },
  'too-many-calls': { kind: 'too-many-calls', inStream: true },
  'not-pending': { kind: 'interaction-not-pending', status: 409 },
  'rate-limited-long': { kind: 'rate-limited', status: 429, retryAfterMs: 20_000 },
  'invalid-request': { kind: 'invalid-request', status: 400 },
};

/** Reads a failure of the table above, or its facts and message, as `refused 400 bad_request: No`. */
function failureOf(words: string): Failure {
  const [facts = '', ...said] = words.split(': ');
  const [kind = '', ...more] = facts.split(' ');
  const status = more.find((word) => /^\d+$/u.test(word));
  const code = more.find((word) => /^[A-Z]/u.test(word));
  const reason = more.find((word) => /^[a-z]/u.test(word));
  const named = failures[facts] ?? { kind: kind as Failure['kind'] };
  const told = { ...(code && { code }), ...(reason && { reason }) };
  const message = said.length > 0 && { message: said.join(': ') };
  return { ...named, ...(status && { status: Number(status) }), ...told, ...message };
}

/** Entries that another window records. */
function otherEntry(type: string, { reply, asked, clock }: Stage, run = reply.id): JournalEntry {
  const answer = { question: asked.at(-1)?.id ?? '', how: 'allow_once' };
  const { question } = answer;
  const failure = { kind: 'timeout', status: 504, message: '', inStream: false };
  const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3, cost: 1 };
  const bodies: Readonly<Record<string, EntryBody>> = {
    prompt: { type: 'prompt', run, text: 'There', mode: 'manual' },
    finished: { type: 'finished', run, reason: 'stop' },
    end: { type: 'end', run, session: 'theirs', model: null, usage: null },
    failed: { type: 'failed', run, failure },
    cost: { type: 'end', run, session: null, model: null, usage },
    manual: { type: 'mode', mode: 'manual' },
    expire: { type: 'unanswered', then: 'expire' },
    stopped: { type: 'stopped', run },
    stopping: { type: 'stopping', run },
    'stopping-another': { type: 'stopping', run: 'another' },
    renamed: { type: 'renamed', title: 'A title' },
    closed: { type: 'closed', question, why: 'gone' },
    answering: { type: 'answering', ...answer },
    answered: { type: 'answered', ...answer },
    refused: { type: 'refused', question, failure },
  };
  return { ...bodies[type]!, id: `other-${type}-${clock.now()}`, at: clock.now() };
}

/** The steps of a play, each with an optional argument. */
const steps: Readonly<Record<string, (stage: Stage, argument: string) => unknown>> = {
  submit: (stage, text) => stage.submit(text),
  open: (stage) => stage.last.open(),
  say: (stage, text) => stage.last.open().say({ kind: 'text', text }),
  role: (stage) => stage.last.open().say({ kind: 'role' }),
  end: (stage, reason) => stage.last.say({ kind: 'finish', reason: reason as 'stop' }),
  /** With the IDs of the calls, if not `call-1` alone. */
  ask: (stage, ids) => {
    const calls = (ids || 'call-1').split(' ').map(permissionCall);
    stage.last.say(...calls.map(interaction)).pause();
  },
  /** A question that can’t be displayed, before others that can. */
  unreadable: (stage, ids) => {
    const calls = ids.split(' ').filter(Boolean).map(permissionCall);
    stage.last.say(unreadable('not json'), ...calls.map(interaction)).pause();
  },
  /** With the session that the final chunk names, or null. */
  pause: (stage, session) => stage.last.open().pause(session === 'null' ? null : undefined),
  answer: (stage, choice) => stage.answering({ kind: 'permission', choice }),
  /** Answers with a value. */
  accept: (stage, dsn) =>
    stage.answering({ kind: 'elicitation', action: 'accept', content: { dsn } }),
  /** With the reason. */
  reject: (stage, reason) => stage.answering({ kind: 'permission', choice: 'reject_once' }, reason),
  /** Changes the text of the first prompt that waits. */
  edit: (stage, text) => {
    const prompt = { text, sent: text, attachments: [] };
    stage.conversation.send({ type: 'edit-queued', id: stage.state.queue[0]!.id, prompt });
  },
  /** The user edits the waiting prompts at these indexes; without any, the edits end. */
  editing: (stage, places) => {
    const ids = (places.match(/\d/gu) ?? []).map((place) => stage.state.queue[Number(place)]!.id);
    stage.conversation.send({ type: 'editing-queued', ids });
  },
  requeue: (stage, text) => {
    const prompt = { id: 'q', text, sent: text, attachments: [], mode: 'manual' } as const;
    stage.conversation.send({ type: 'requeue', queue: [prompt], isHeld: false });
  },
  /** A new window, with the prompts that waited. */
  reopen: (stage) => {
    const { queue } = stage.state;
    stage.reload();
    stage.conversation.send({ type: 'requeue', queue, isHeld: false });
  },
  /** With the session that the final chunk names, or null, and the cost. */
  finish: (stage, facts) => {
    const [session = '', cost] = facts.split(' ');
    const named = session === '' ? undefined : session;
    return stage.finish(named === 'null' ? null : named, cost === undefined ? cost : Number(cost));
  },
  /** The cost limit of the day is reached. */
  'day-limit': (stage) => (stage.isDailyCostReached = true),
  limit: ({ conversation }, usd) =>
    conversation.record({ type: 'cost-limit', usd: usd === 'none' ? null : Number(usd) }),
  fail: (stage, kind) => stage.fail(failureOf(kind)),
  /** Fails in the stream. */
  refuse: (stage, kind) => stage.last.open().refuse(failureOf(kind)),
  wait: (stage, ms) => stage.advance(Number(ms)),
  /** The wall clock is set, as far forward or back. */
  jump: ({ clock }, ms) => clock.sleep(Number(ms)),
  mode: (stage, mode) => stage.setMode(mode as ApprovalMode),
  /** Turns self-drive on, for as long. */
  drive: ({ conversation }, lasts) =>
    conversation.send({ type: 'set-mode', mode: 'self-drive', lasts: lasts as SelfDriveTerm }),
  distrust: (stage) => (stage.isTrusted = false),
  /** Sets the policy for unanswered questions. */
  policy: ({ conversation }, then) =>
    conversation.record({ type: 'unanswered', then: then as WhenUnanswered }),
  /** Applies the policy for unanswered questions to the last question. */
  nobody: ({ conversation, asked }) => void conversation.applyUnansweredPolicy(asked.at(-1)!.id),
  /** A question comes, and nothing after it. */
  asking: (stage) => stage.last.open().say(interaction(permissionCall('call-1'))),
  /** An unreadable tool call arrives. */
  malformed: (stage) => stage.last.say({ kind: 'malformed', problem: 'tool-call' }),
  quiet: (stage, ms) => stage.last.quiet(Number(ms)),
  sound: (stage) => stage.last.sound(),
  close: ({ conversation }) => conversation.dispose(),
  'take-back': (stage) =>
    stage.conversation.send({ type: 'remove-queued', id: stage.state.queue[0]!.id }),
  /** Takes back the last prompt that waits. */
  'take-queued-back': (stage) =>
    stage.conversation.send({ type: 'remove-queued', id: stage.state.queue.at(-1)!.id }),
  /** `elsewhere`: another window continues the run. */
  reload: (stage, where) => stage.reload(where === 'elsewhere'),
  restore: (stage) => stage.conversation.restore('none'),
  /** Another window records entries. */
  other: (stage, types) => {
    const run = types.startsWith('prompt') ? 'theirs' : undefined;
    const entries = types.split(' ').map((type) => otherEntry(type, stage, run));
    stage.journal.push(...entries);
    stage.conversation.follow(entries);
  },
  /** Another window records an entry that this window has not read yet. */
  unread: (stage, type) => stage.elsewhere.push(otherEntry(type, stage)),
  /** Stops the run and sends a new prompt, or the last one that waits. */
  'stop-and-send': ({ conversation, state }, text) => {
    const prompt = text === '' ? state.queue.at(-1)!.id : { text, sent: text, attachments: [] };
    conversation.send({ type: 'stop-and-send', prompt });
  },
  'send-anyway': ({ conversation }) =>
    conversation.send({ type: 'send-now', overrideCostLimit: true }),
  /** A finish chunk with a reason that the interface does not list, and the end of the response. */
  unlisted: (stage) => {
    const facts = { kind: 'unlisted-finish', route: 'chat', message: 'not listed' } as const;
    const error = new ApiError({ ...facts, reason: 'content_filter', inStream: true });
    stage.last.open().say({ kind: 'finish', reason: 'unlisted', error });
  },
  /** The final chunk, with the session that it names or null. */
  done: (stage, session) => stage.last.say(endEvent(session === 'null' ? null : session)).done(),
  /** `elsewhere`: another window sends an answer, or reads a stream. */
  owner: (stage, where) => (stage.isOwnedElsewhere = where === 'elsewhere'),
};

/** Plays steps that are separated by bars: see {@link steps}, or an event without a body. */
export async function play(script: string): Promise<Stage> {
  const stage = new Stage();
  for (const step of script.split(' | ')) {
    const [name = '', ...rest] = step.split(' ');
    const type = name as 'stop';
    const run = steps[name] ?? (() => stage.conversation.send({ type }));
    await run(stage, rest.join(' '));
    await stage.settle();
  }
  return stage;
}

/**
 * Makes a test of each play of a table: a title, and below it the steps, an arrow, and what {@link factsOf} says after
 * them, as `sent One, Two; queued none`.
 */
export function playAll(table: string): void {
  const plays = [...table.matchAll(/^ {4}(\S.*)\n((?: {6}.*\n)+)/gmu)];
  assert.equal(plays.map(([whole]) => whole).join(''), `${table.trimEnd().slice(1)}\n`);
  for (const [, title = '', text = ''] of plays) {
    const [script = '', expected = ''] = text.trim().split(/\s+=>\s+/u);
    it(title, async () => {
      const facts = factsOf(await play(script.replaceAll(/\s+/gu, ' ')));
      const expectedFacts = expected.replaceAll(/\s+/gu, ' ').split('; ');
      const found = expectedFacts.map((fact) => {
        const [name = ''] = fact.split(' ');
        assert.ok(name in facts, name);
        return `${name} ${inWords(facts[name as keyof typeof facts])}`;
      });
      assert.deepEqual(found, expectedFacts);
    });
  }
}

function inWords(fact: unknown): string {
  if (Array.isArray(fact)) return fact.map(inWords).join(', ') || 'none';
  if (fact === null || fact === undefined || fact === '') return 'none';
  return typeof fact === 'string' ? fact : JSON.stringify(fact);
}

/** The state of a conversation. */
export function factsOf(stage: Stage) {
  const { transcript } = stage.conversation;
  const context = { ...statusContext, now: stage.clock.now() };
  const { banners, queue, cost, selfDriveBand, activity } = statusView(stage.conversation, context);
  const { lastReply } = transcript;
  const failures = stage.journal.flatMap((entry) => ('failure' in entry ? entry.failure : []));
  const failure = lastReply && headerView(lastReply, messageContext).failure;
  const [first] = stage.questions;
  const card = first && questionView(first, stage.phase === 'paused', transcript.whenUnanswered);
  return {
    phase: stage.phase,
    /** The texts of the prompts, and the ways of the answers, that went out. */
    sent: stage.exchanges.map(({ chat }) => {
      if (chat.kind === 'prompt') return chat.text;
      return chat.answer.kind === 'permission' ? chat.answer.choice : chat.answer.action;
    }),
    queued: stage.queued,
    /** The sessions that requests went to. */
    sessions: stage.exchanges.map(({ chat }) => chat.sessionId),
    /** The sessions of the recorded prompts. */
    recordedSessions: stage.journal.flatMap((entry) =>
      entry.type === 'prompt' ? [entry.session] : [],
    ),
    /** The modes of the prompts that went out. */
    modes: stage.exchanges.flatMap(({ chat }) => (chat.kind === 'prompt' ? chat.approvalMode : [])),
    mode: stage.state.mode,
    runMode: lastReply?.mode,
    isOwned: stage.isOwnedHere,
    isHeld: stage.state.queueHeld,
    /** When the last run was left, in ms since the start. */
    leftAt: stage.state.leftAt && stage.state.leftAt - START,
    state: lastReply?.state,
    failure: lastReply?.failure?.kind,
    text: lastReply === undefined ? '' : stage.text,
    session: transcript.session,
    notices: transcript.messages.filter(({ kind }) => kind === 'notice').length,
    asked: stage.asked.length,
    /** When the question expires, in ms since the start. */
    deadline: stage.conversation.deadline && stage.conversation.deadline - START,
    /** How the failure of the reply is shown. */
    title: failure?.title,
    detail: failure?.detail,
    failureOffers: failure?.actions.map(({ id }) => id),
    messages: failures.map((each) => each?.message),
    failureReasons: failures.map((each) => each?.reason),
    submitted: stage.state.submitted,
    cost,
    canStop: activity !== 'idle',
    band: selfDriveBand?.text,
    recordedModes: stage.journal.flatMap((entry) => (entry.type === 'mode' ? entry.mode : [])),
    ended: stage.ended.length,
    open: stage.state.questions.length,
    /** The text and buttons on the card of the first question. */
    card: card?.stateMessage,
    cardOffers: card?.actions.map(({ id }) => id),
    endings: stage.questions.map(({ ending }) => ending),
    /** The answer to the first question that may have been received. */
    received: first?.maybeReceived?.how,
    banner: banners.map(({ text }) => text).join(' '),
    /** The buttons above the composer. */
    offers: banners.flatMap(({ actions }) => actions).map(({ id }) => id),
    /** The prompts that wait, with their modes where those are told. */
    shown: queue.map(({ text, mode = '' }) => `${text} ${mode}`.trim()),
    /** The waiting prompts that are shown as reasons. */
    reasons: queue.filter(({ isReason }) => isReason).map(({ text }) => text),
    runs: stage.runs,
    took: stage.took,
    observed: stage.observedStatuses,
    timers: stage.clock.waiting,
    isAborted: stage.exchanges.at(-1)?.aborted,
    entries: stage.journal.length,
    silences: stage.silences,
  };
}
