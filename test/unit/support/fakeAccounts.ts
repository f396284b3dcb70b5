import * as v from 'valibot';
import type {
  ApiError,
  Intern,
  KeyInfo,
  SecretDraft,
  SecretMetadata,
  ServiceClient,
  CallOptions,
  StoredCreate,
} from '../../../src/api/index.ts';
import { internSchema, keyResponseSchema } from '../../../src/api/schemas.ts';
import { Emitter } from '../../../src/base/disposable.ts';
import type { Account, Accounts, ListServices } from '../../../src/features/accounts/account.ts';
import type {
  AllowedRecord,
  CreationRecord,
  InternRecord,
  SecretRecord,
} from '../../../src/features/accounts/records.ts';
import { CommandRegistrar } from '../../../src/platform/commands/registrar.ts';
import { FakeClock } from './fakeClock.ts';
import { MemoryCollection } from './memoryCollection.ts';
import { RecordingLog } from './recordingLog.ts';
import { pathsIn } from './pathsIn.ts';

/** An intern as the service reports it; unknown fields are null. */
export function internOf(known: Partial<Intern> & { readonly id: string }): Intern {
  const empty = v.parse(internSchema, { id: known.id, workspace_id: 'workspace-1' });
  return { ...empty, ...known };
}

/** The information on a key; unknown fields are null. */
export function keyInfoOf(known: Partial<KeyInfo>): KeyInfo {
  const data = { workspace_id: 'workspace-1', creator_user_id: 'user-1' };
  return { ...v.parse(keyResponseSchema, { data }), ...known };
}

/** An account with lists in memory. */
export function accountOf(id: string, signedInAt = 0): Account {
  return {
    id,
    state: 'ready',
    record: {
      id,
      root: 'https://interns.test/api/v1',
      label: `Key of ${id}`,
      workspaceId: 'workspace-1',
      creatorUserId: 'user-1',
      expiresAt: null,
      keyState: 'present',
      fromEnvironment: false,
      signedInAt,
      keySince: signedInAt,
    },
    store: {
      interns: new MemoryCollection<InternRecord>((record) => record.id),
      creations: new MemoryCollection<CreationRecord>((record) => record.id),
      secrets: new MemoryCollection<SecretRecord>((record) => record.name),
      allowed: new MemoryCollection<AllowedRecord>((record) => record.id),
      paths: pathsIn('/nowhere'),
    },
  };
}

/** A response of the service, or its failure. */
type Answer<T> = T | ApiError;

/** Accounts whose client returns scripted responses and keeps the requests. */
export class FakeAccounts {
  readonly clock: FakeClock;
  readonly log = new RecordingLog();
  readonly account = accountOf('account-1');
  readonly other = accountOf('account-2');
  readonly #changed = new Emitter<void>();
  readonly creates: StoredCreate[] = [];
  readonly stored: { readonly name: string; readonly secret: SecretDraft }[] = [];
  /** Responses to creates, in order. A create without one waits. */
  readonly createAnswers: (Answer<Intern> | Promise<Answer<Intern>>)[] = [];
  /** Failures of attempts before the next create succeeds. */
  readonly createRetries: ApiError[] = [];
  readonly secretAnswers: (Answer<SecretMetadata> | Promise<Answer<SecretMetadata>>)[] = [];
  /** Called before a create is answered. */
  onCreate: () => Promise<void> = () => Promise.resolve();

  constructor(startMs?: number) {
    this.clock = new FakeClock(startMs);
  }

  /** A registrar for commands that use these accounts. */
  get registrar(): CommandRegistrar {
    return new CommandRegistrar(this.log, this.accounts);
  }

  /** Services of the host. */
  get ports(): ListServices & { readonly clock: FakeClock; readonly log: RecordingLog } {
    const contextKeys = { set: () => undefined };
    return { accounts: this.accounts, clock: this.clock, contextKeys, log: this.log };
  }

  /** The accounts as the host sees them. */
  get accounts(): Accounts {
    return {
      all: [this.account, this.other],
      active: this.account,
      get: (id: string) => [this.account, this.other].find((account) => account.id === id),
      whenLoaded: Promise.resolve(),
      onDidChange: this.#changed.event,
      client: () => this.#client(),
    } as unknown as Accounts;
  }

  #client(): ServiceClient {
    return {
      createIntern: async (draft: StoredCreate, options?: CallOptions) => {
        this.creates.push(draft);
        await this.onCreate();
        for (const failure of this.createRetries.splice(0)) options?.onRetry?.(failure);
        return settle(await this.createAnswers.shift());
      },
      putSecret: async (name: string, secret: SecretDraft) => {
        this.stored.push({ name, secret });
        return settle(await this.secretAnswers.shift());
      },
    } as unknown as ServiceClient;
  }
}

function settle<T>(answer: Answer<T> | undefined): T {
  if (answer === undefined) throw new Error('The test gave no answer for this request');
  if (answer instanceof Error) throw answer;
  return answer;
}
