import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { HostLog } from './hostLog.ts';
import { Redactor } from './redactor.ts';

/** The log as the host uses it and as the user sees it. */
export interface LogChannel extends Disposable {
  readonly log: HostLog;
  readonly redactor: Redactor;
  readonly show: () => void;
}

/** Makes the output channel `Interns`, whose level the user sets in the editor. */
export function createLogChannel(): LogChannel {
  const channel = vscode.window.createOutputChannel('Interns', { log: true });
  const redactor = new Redactor();
  return {
    log: new HostLog(channel, redactor),
    redactor,
    show: () => {
      channel.show();
    },
    dispose: () => {
      channel.dispose();
    },
  };
}
