import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../log/log.ts';
import { formatNumber } from '../text/format.ts';

/**
 * Reports a file that exists and cannot be read: damaged, of a later version, or denied by the system.
 *
 * @param path absolute
 * @param failure the system's error, if any
 */
export type ReportUnreadable = (path: string, failure?: unknown) => void;

/** A write was refused, because the file exists and cannot be read. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
  readonly file: string;

  constructor(path: string) {
    super(`Unreadable: ${basename(path)}`);
    this.file = basename(path);
  }
}

/** Handles the rejection of a promise. @throws the failure, unless it is an {@link UnreadableFileError} */
export function ignoreUnreadable(failure: unknown): undefined {
  if (!(failure instanceof UnreadableFileError)) throw failure;
}

/** How long files are collected for one notification, in ms. A folder of a later version may hold hundreds. */
const REPORT_BATCH_MS = 500;

/** Notifies the user of unreadable files, each once per window, and offers to open their folder. */
export function createReportUnreadable(
  log: Pick<Log, 'warn'>,
  clock: Pick<Clock, 'setTimeout'>,
): ReportUnreadable {
  const reported = new Set<string>();
  let pending: string[] = [];
  return (path, failure) => {
    if (reported.has(path)) return;
    reported.add(path);
    log.warn(
      'A file could not be read, and was not changed',
      failure,
      `${basename(dirname(path))}/${basename(path)}`,
    );
    pending.push(path);
    if (pending.length > 1) return;
    clock.setTimeout(() => {
      const paths = pending;
      pending = [];
      void show(paths);
    }, REPORT_BATCH_MS);
  };
}

async function show(paths: readonly string[]): Promise<void> {
  const [first = '', ...others] = paths;
  const openFolder = vscode.l10n.t('Open Folder');
  const message =
    others.length === 0
      ? vscode.l10n.t(
          'Couldn’t read {0}. It’s damaged or from a newer version. The file wasn’t changed.',
          basename(first),
        )
      : vscode.l10n.t(
          'Couldn’t read {0} files. They’re damaged or from a newer version. They weren’t changed.',
          formatNumber(paths.length),
        );
  if ((await vscode.window.showWarningMessage(message, openFolder)) === openFolder)
    await revealFile(first);
}

/** Shows a file in the file manager, or its folder in a new window if the extension host runs remotely. */
async function revealFile(path: string): Promise<void> {
  const { env, UIKind, Uri, commands } = vscode;
  const isHere = env.uiKind === UIKind.Desktop && env.remoteName === undefined;
  if (isHere) await commands.executeCommand('revealFileInOS', Uri.file(path));
  else
    await commands.executeCommand('vscode.openFolder', Uri.file(dirname(path)), {
      forceNewWindow: true,
    });
}
