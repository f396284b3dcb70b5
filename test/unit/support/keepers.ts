import { readFile } from 'node:fs/promises';
import { DETACHED, type FetchLike } from '../../../src/api/index.ts';
import {
  StreamKeeperClient,
  type StreamKeeperClientOptions,
} from '../../../src/platform/keeper/keeperClient.ts';
import { FrameDecoder, type Frame } from '../../../src/streamKeeper/responseFrames.ts';
import { eventually } from '../../harness/until.ts';
import { keeperScript, openRequests, patientClock } from './keeperRequests.ts';
import { RecordingLog } from './recordingLog.ts';

/** Returns the frames that are in a response file now. */
export async function framesIn(path: string): Promise<readonly Frame[]> {
  return new FrameDecoder().push(await readFile(path));
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A window that sends its chat requests through a keeper of its own. */
export interface KeeperWindow {
  readonly keeper: StreamKeeperClient;
  readonly log: RecordingLog;
  /** URLs that the window requested itself. */
  readonly ownRequests: string[];
  /** Process ID of the keeper that the window started last. */
  readonly pid: () => number;
}

/** Makes windows on one storage folder. Their keepers end after each test. */
export function useKeeperWindows(storage: { readonly path: string }): {
  readonly open: (options?: Partial<StreamKeeperClientOptions>) => KeeperWindow;
} {
  const windows: KeeperWindow[] = [];
  afterEach(async () => {
    openRequests.abort(DETACHED);
    for (const { keeper, log } of windows.splice(0)) {
      keeper.dispose();
      for (const pid of pidsIn(log)) {
        if (isRunning(pid)) process.kill(pid, 'SIGKILL');
        await eventually(() => !isRunning(pid));
      }
    }
  });
  const open = (options: Partial<StreamKeeperClientOptions> = {}): KeeperWindow => {
    const log = new RecordingLog();
    const ownRequests: string[] = [];
    const fetchItself: FetchLike = (url, init) => {
      ownRequests.push(url);
      return fetch(url, init);
    };
    const keeper = new StreamKeeperClient({
      folder: storage.path,
      script: keeperScript,
      clock: patientClock,
      log,
      policy: () => 'always',
      proxy: () => undefined,
      fetch: fetchItself,
      window: `window-${windows.length}`,
      ...options,
    });
    const window = { keeper, log, ownRequests, pid: () => pidsIn(log).at(-1)! };
    windows.push(window);
    return window;
  };
  return { open };
}

/** The IDs that the log names. */
function pidsIn({ lines }: RecordingLog): readonly number[] {
  return lines
    .map((line) => /^Started a stream keeper, process (\d+)$/.exec(line)?.[1])
    .filter((pid) => pid !== undefined)
    .map(Number);
}
