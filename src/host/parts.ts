import type * as vscode from 'vscode';
import type { Clock } from '../base/clock.ts';
import type { AccountManager } from './auth/accountManager.ts';
import type { CommandRegistrar } from './commands/registrar.ts';
import type { ContextKeys } from './contextKeys.ts';
import type { TrackedPrompts } from './dialogs/trackedPrompts.ts';
import type { Glances } from './glances.ts';
import type { DraftFiles } from './interns/draftFiles.ts';
import type { InternModel } from './interns/internModel.ts';
import type { Log } from './log/log.ts';
import type { Settings } from './settings.ts';
import type { WatchFolder } from './storage/watch.ts';

/** What every feature of the host is built from; made once, in main.ts. */
export interface HostParts {
  readonly context: vscode.ExtensionContext;
  readonly accounts: AccountManager;
  readonly interns: InternModel;
  readonly drafts: DraftFiles;
  readonly registrar: CommandRegistrar;
  readonly prompts: TrackedPrompts;
  readonly settings: Settings;
  readonly contextKeys: ContextKeys;
  readonly clock: Clock;
  readonly glances: Glances;
  readonly watch: WatchFolder;
  readonly log: Log;
}
