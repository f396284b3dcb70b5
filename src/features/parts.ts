import type * as vscode from 'vscode';
import type { Clock } from '../base/clock.ts';
import type { Accounts } from './accounts/account.ts';
import type { CommandRegistrar } from '../platform/commands/registrar.ts';
import type { ContextKeys } from '../platform/contextKeys.ts';
import type { QuickInputs } from '../platform/dialogs/quickInputs.ts';
import type { RefreshTriggers } from '../platform/refreshTriggers.ts';
import type { DraftFiles } from '../platform/dialogs/draftFiles.ts';
import type { ContainerBadge } from './interns/containerBadge.ts';
import type { InternModel } from './interns/internModel.ts';
import type { Log } from '../platform/log/log.ts';
import type { Settings } from '../platform/settings.ts';
import type { ReportUnreadable } from '../platform/storage/unreadable.ts';
import type { WatchFolder } from '../platform/storage/watch.ts';

/** What every feature of the host is built from; made once, in main.ts. */
export interface HostParts {
  readonly context: vscode.ExtensionContext;
  readonly accounts: Accounts;
  readonly interns: InternModel;
  /** The number on the icon of the view container. */
  readonly badge: ContainerBadge;
  /** An id that no other window has. */
  readonly window: string;
  readonly drafts: DraftFiles;
  /** Names this workspace's folder among the drafts of an account. */
  readonly workspace: string;
  readonly registrar: CommandRegistrar;
  readonly prompts: QuickInputs;
  readonly settings: Settings;
  readonly contextKeys: ContextKeys;
  readonly clock: Clock;
  readonly refreshTriggers: RefreshTriggers;
  readonly watch: WatchFolder;
  readonly reportUnreadable: ReportUnreadable;
  readonly log: Log;
}
