import type { Clock } from '../base/clock.ts';
import type { Emitter } from '../base/disposable.ts';
import type { CommandRegistrar } from './commands/registrar.ts';
import type { ContextKeys } from './contextKeys.ts';
import type { Dialogs } from './dialogs/dialogs.ts';
import type { TextEditing } from './dialogs/editText.ts';
import type { Log } from './log/log.ts';
import type { Settings } from './settings.ts';
import type { ReportUnreadable } from './storage/unreadable.ts';
import type { WatchFolder } from './storage/watch.ts';

/** The services that most features use. Each part picks those that it needs. */
export interface PlatformServices {
  readonly clock: Clock;
  readonly contextKeys: Pick<ContextKeys, 'set'>;
  readonly dialogs: Dialogs;
  readonly log: Log;
  /** Fires when folders that cannot be watched are read again: the window gets the focus, or a view becomes visible. */
  readonly refresh: Pick<Emitter<void>, 'fire'>;
  readonly registrar: CommandRegistrar;
  readonly reportUnreadable: ReportUnreadable;
  readonly settings: Settings;
  readonly texts: TextEditing;
  readonly watch: WatchFolder;
  /** The ID of this window's extension host. No other window has it. */
  readonly window: string;
  /** The name of this workspace's folder of drafts. */
  readonly workspace: string;
  /** The URI of this workspace; undefined for an empty window. */
  readonly workspaceUri: string | undefined;
}

/** The services that a folder of files needs. */
export type FileServices = Pick<PlatformServices, 'clock' | 'log' | 'reportUnreadable' | 'watch'>;
