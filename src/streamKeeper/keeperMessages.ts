import type { Readable } from 'node:stream';
import { parseJson } from '../base/json.ts';

/** The only argument of a keeper's script. It distinguishes a keeper from an editor that shows the script. */
export const KEEPER_ARGUMENT = '--interns-stream-keeper';

/** The file descriptor of a keeper's messages. Node's standard output would block on Windows. */
export const OUTPUT_DESCRIPTOR = 3;

/** Name of the file with the {@link KeeperPolicy} of all windows. It stays when all windows are closed. */
export const POLICY_FILE = 'policy';

/** The choice whether runs continue after the last window has closed. */
export type KeeperPolicy = 'always' | 'untilClosed';

/** Times of a keeper, in ms. */
export interface KeeperTimes {
  /** Time without a response after which the keeper ends. */
  readonly idleMs: number;
  /** Time without a window after which responses are stopped, if the policy is `untilClosed`. */
  readonly graceMs: number;
  /** Interval of checks whether a window runs. */
  readonly windowCheckMs: number;
  readonly heartbeatMs: number;
  /** Silence after which a response without a window fails. The service sends a comment every 30 s. */
  readonly silenceTimeoutMs: number;
}

export interface KeeperConfig {
  readonly type: 'config';
  /** ID of the window. */
  readonly window: string;
  /** Folder with the marks of the windows that run, and {@link POLICY_FILE}. */
  readonly windowsFolder: string;
  readonly times?: Partial<KeeperTimes>;
}

export interface StartMessage {
  readonly type: 'start';
  /** Number of the response, given by the window. */
  readonly id: number;
  /** The file of the response. Its folder exists, the file does not. */
  readonly path: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export type ToKeeper =
  | KeeperConfig
  | StartMessage
  | { readonly type: 'stop'; readonly id: number }
  /** Asks for the status of a GET request. */
  | {
      readonly type: 'probe';
      readonly id: number;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** The ID of a response, an offset in its file, and bytes as base64; null if the window should read the file. */
export type FilePart = readonly [id: number, offset: number, bytes: string | null];

export type FromKeeper =
  | { readonly type: 'hello' }
  /** Additions to files, also those that a full disk has not taken yet. */
  | { readonly type: 'parts'; readonly parts: readonly FilePart[] }
  /** The body of a refusal, which is never written to a file. Not sent if it broke off or is too large. */
  | { readonly type: 'refused'; readonly id: number; readonly body: string }
  /** A part could not be written, and the keeper tries again. If the file could not be created, nothing is sent. */
  | {
      readonly type: 'write-failed';
      readonly id: number;
      readonly code: string | null;
      readonly isCreated: boolean;
    }
  | ({ readonly type: 'probe-result'; readonly id: number } & ProbeResult);

export interface ProbeResult {
  /** Null if the request failed. */
  readonly status: number | null;
  /** The platform's code of the failure; null without one. */
  readonly code: string | null;
}

export function toLine(message: ToKeeper | FromKeeper): string {
  return `${JSON.stringify(message)}\n`;
}

/** Reads lines of JSON. Skips other lines, and a last one that is incomplete. */
export function readLines(stream: Readable, onMessage: (message: unknown) => void): void {
  let parts: string[] = [];
  stream.setEncoding('utf8').on('data', (text: string) => {
    const [first = '', ...more] = text.split('\n');
    parts.push(first);
    for (const next of more) {
      const message = parseJson(parts.join(''));
      parts = [next];
      if (message !== undefined) onMessage(message);
    }
  });
}
