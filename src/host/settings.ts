import * as vscode from 'vscode';
import type { ApprovalMode } from '../api/index.ts';

const SECTION = 'interns';

/** The settings of this extension, by their names in package.json. */
export interface SettingValues {
  /** The API root that sign-in uses; empty where sign-in asks. */
  baseUrl: string;
  /** The mode of a new conversation. */
  approvalMode: ApprovalMode;
  /** Name of the header that carries the idempotency key of a create; empty sends none. */
  idempotencyHeader: string;
  /** A run that took at least so many seconds notifies when it ends out of sight; 0 never does. */
  notifyAfterSeconds: number;
}

/** Reads each setting when it is asked for: nothing is read at start-up, and nothing here can be stale. */
export class Settings {
  get baseUrl(): string {
    return text('baseUrl').trim();
  }

  /** `manual` for every value but `self-drive`, so that a slip in settings.json errs on the safe side. */
  get approvalMode(): ApprovalMode {
    return text('approvalMode') === 'self-drive' ? 'self-drive' : 'manual';
  }

  get idempotencyHeader(): string {
    return text('idempotencyHeader').trim();
  }

  /** 60 for every value that is not a number of seconds. */
  get notifyAfterSeconds(): number {
    const value: unknown = vscode.workspace.getConfiguration(SECTION).get('notifyAfterSeconds');
    return typeof value === 'number' && value >= 0 ? value : 60;
  }

  /** All values, for diagnostics. */
  get all(): SettingValues {
    return {
      baseUrl: this.baseUrl,
      approvalMode: this.approvalMode,
      idempotencyHeader: this.idempotencyHeader,
      notifyAfterSeconds: this.notifyAfterSeconds,
    };
  }

  /** Calls back when the value of one setting may have changed. */
  onDidChange(name: keyof SettingValues, listener: () => void): vscode.Disposable {
    return vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${SECTION}.${name}`)) listener();
    });
  }
}

/** A string setting; empty where settings.json holds something else. */
function text(name: keyof SettingValues): string {
  const value: unknown = vscode.workspace.getConfiguration(SECTION).get(name);
  return typeof value === 'string' ? value : '';
}
