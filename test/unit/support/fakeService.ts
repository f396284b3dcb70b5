import {
  ApiError,
  type ApiErrorKind,
  type KeyInfo,
  type ServiceClient,
  type ServiceClientConfig,
} from '../../../src/api/index.ts';

/** What a key says of itself, all but its owner null. */
export function keyInfoOf(known: Partial<KeyInfo>): KeyInfo {
  return {
    creatorUserId: 'user-1',
    workspaceId: 'workspace-1',
    organizationId: null,
    label: null,
    expiresAt: null,
    allowedDataRegions: null,
    isFreeTier: null,
    isManagementKey: null,
    isProvisioningKey: null,
    includeByokInLimit: null,
    limit: null,
    limitRemaining: null,
    limitReset: null,
    usage: null,
    usageDaily: null,
    usageWeekly: null,
    usageMonthly: null,
    byokUsage: null,
    byokUsageDaily: null,
    byokUsageWeekly: null,
    byokUsageMonthly: null,
    freeModelDailyRequests: null,
    ...known,
  };
}

/** A request that reached the service. */
export interface SeenRequest {
  readonly root: string;
  readonly key: string;
}

/** The key route of a service, without HTTP: knows some keys, and fails as it is told. */
export class FakeService {
  readonly keys = new Map<string, KeyInfo>();
  readonly seen: SeenRequest[] = [];
  /** The next answers, before the key is looked at. */
  readonly failures: ApiErrorKind[] = [];

  readonly createClient = ({ root, key, log }: ServiceClientConfig): ServiceClient => {
    const getKey = async (): Promise<KeyInfo> => {
      const used = await key();
      const failure = used === '' ? refusal(null) : this.#answer(root, used);
      const info = this.keys.get(used);
      const error = failure ?? (info === undefined ? refusal(401) : undefined);
      const { status = 200, kind = null } = error ?? {};
      const entry = { route: 'key', method: 'GET', path: '/key', reason: null } as const;
      log?.({ ...entry, status, kind, durationMs: 1, sentBytes: 0, receivedBytes: 2, tag: null });
      if (error !== undefined || info === undefined) throw error!;
      return info;
    };
    const unused = () => Promise.reject(new Error('Not a part of this service'));
    return {
      getKey,
      createIntern: unused,
      putSecret: unused,
      streamChat: () => {
        throw new Error('Not a part of this service');
      },
    };
  };

  #answer(root: string, key: string): ApiError | undefined {
    this.seen.push({ root, key });
    const kind = this.failures.shift();
    const init = { route: 'key', message: 'Refused' } as const;
    return kind === undefined ? undefined : new ApiError({ ...init, kind, status: 500 });
  }
}

function refusal(status: number | null): ApiError {
  return new ApiError({ kind: 'signed-out', route: 'key', status, message: 'No such key' });
}
