import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Api, MAX_BODY_BYTES } from './core/api.ts';
import { DEFAULT_CHOICES, type Choices } from './core/choices.ts';
import { systemClock, type Clock } from './core/clock.ts';
import { Conversations } from './core/conversations.ts';
import { InternRegistry, type Intern } from './core/interns.ts';
import { KeyRing } from './core/keyRing.ts';
import { memberKey, SIMULATING_KEYS, type KeyProfile } from './core/keys.ts';
import { TurnLimiter } from './core/rateLimit.ts';
import type { RunLimits } from './core/run.ts';
import type { Brain } from './core/script.ts';
import { seedInterns } from './core/seeds.ts';
import { Vaults } from './core/vault.ts';
import { Faults } from './http/faults.ts';
import { API_PREFIX, createListener } from './http/listener.ts';
import type { Observer } from './http/observer.ts';
import { scriptedBrain } from './scripts/prompts.ts';

export { SIMULATING_KEYS } from './core/keys.ts';
export type { Brain } from './core/script.ts';
export type { Fault } from './http/faults.ts';
export type { Exchange, Observer } from './http/observer.ts';

/** All optional. Times in ms. */
export interface ServiceOptions extends Partial<RunLimits> {
  /** 0, the default, selects a free port. */
  port?: number;
  /** Keys of members, or whole profiles, beside the ones that always exist (core/keys.ts). */
  keys?: readonly (string | KeyProfile)[];
  clock?: Clock;
  /** The time from create until an intern runs; default 2,000. */
  provisioningMs?: number;
  /** The number of runs that one intern can hold open across a question; default 100. */
  maxPausedRuns?: number;
  /** Prompts and answers per minute and user or organization; default 600. */
  turnsPerMinute?: number;
  /** See choices.ts. */
  choices?: Partial<Choices>;
  observer?: Observer;
  /** Default: the documented prompts (scripts/prompts.ts). */
  brain?: Brain;
}

export type Service = Awaited<ReturnType<typeof startService>>;

const DEFAULT_LIMITS: RunLimits = {
  keepaliveMs: 30_000,
  interactionDeadlineMs: 300_000,
  requestBudgetMs: 60_000,
  retentionBytes: 262_144,
  chunkMs: 0,
};

/** Starts an intern service on the loopback address. @throws Error when the port is taken */
export async function startService(options: ServiceOptions = {}) {
  const { listener, state, faults, dispose } = assemble(options);
  const server = createServer({ keepAliveTimeout: 30_000 }, listener);
  let openSockets = 0;
  server.on('connection', (socket) => {
    openSockets += 1;
    socket.once('close', () => (openSockets -= 1));
  });
  await once(server.listen(options.port ?? 0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    dispose();
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  };
  return {
    /** The API root: `http://127.0.0.1:PORT/api/v1`. */
    url: `http://127.0.0.1:${port}${API_PREFIX}`,
    port,
    state: {
      ...state,
      get openSockets() {
        return openSockets;
      },
    },
    faults,
    /** Ends every run, cuts every connection, and stops listening. */
    close,
    [Symbol.asyncDispose]: close,
  };
}

function assemble(options: ServiceOptions) {
  const { clock = systemClock, observer = {} } = options;
  const choices = { ...DEFAULT_CHOICES, ...options.choices };
  const keys = new KeyRing(clock, [
    ...SIMULATING_KEYS,
    ...(options.keys ?? []).map((key) => (typeof key === 'string' ? memberKey(key) : key)),
  ]);
  const interns = new InternRegistry(clock, options.provisioningMs ?? 2_000);
  seedInterns(interns);
  const vaults = new Vaults(clock, interns);
  const conversations = new Conversations({
    clock,
    limits: { ...DEFAULT_LIMITS, ...options },
    maxPausedRuns: options.maxPausedRuns ?? 100,
    brain: options.brain ?? scriptedBrain,
    canUseSecret: (intern, name, hostname) => vaults.wouldRelease(intern, name, hostname),
  });
  const api = new Api({
    clock,
    choices,
    keys,
    interns,
    vaults,
    conversations,
    turns: new TurnLimiter(),
    turnsPerMinute: options.turnsPerMinute ?? 600,
  });
  const faults = new Faults();
  const keepBytes = Math.max(MAX_BODY_BYTES, choices.secretBodyBytes);
  return {
    faults,
    listener: createListener({ api, faults, observer, keepBytes }),
    state: stateOf(interns, conversations, vaults, keys),
    dispose: () => {
      conversations.dispose();
      interns.dispose();
    },
  };
}

/** State that a test can read and change while the service runs. Changes take effect on the next request. */
function stateOf(
  interns: InternRegistry,
  conversations: Conversations,
  vaults: Vaults,
  keys: KeyRing,
) {
  return {
    interns: () => interns.list(),
    /** @throws Error when there is no such intern */
    setIntern: (id: string, changes: Partial<Intern>) => {
      const intern = interns.list().find((candidate) => candidate.id === id);
      if (intern === undefined) throw new Error(`There is no intern ${id}.`);
      interns.setStatus(intern, changes);
    },
    sessions: () => conversations.list(),
    session: (id: string) => conversations.list().find((session) => session.id === id),
    /** The metadata of the secrets in a workspace's vault. */
    secrets: (workspaceId: string) => vaults.ofWorkspace(workspaceId).list(),
    keys,
  };
}
