import { randomUUID } from 'node:crypto';
import type { ExtensionContext } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { CommandRegistrar } from '../../platform/commands/registrar.ts';
import type { ContextKeys } from '../../platform/contextKeys.ts';
import type { TextEditing } from '../../platform/dialogs/editText.ts';
import type { QuickInputs } from '../../platform/dialogs/quickInputs.ts';
import type { Log } from '../../platform/log/log.ts';
import type { RefreshTriggers } from '../../platform/refreshTriggers.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Account, Accounts } from '../accounts/account.ts';
import type { ContainerBadge } from './containerBadge.ts';
import type { ConversationSource } from './conversationSource.ts';
import { CreateCommands } from './createCommands.ts';
import { Creations } from './creations.ts';
import { registerInternCommands } from './internCommands.ts';
import type { InternModel } from './internModel.ts';
import type { InternPicker } from './internPicker.ts';
import type { InternsTreePorts } from './internsTree.ts';
import { InternsView } from './internsView.ts';

interface InternsOptions {
  readonly context: Pick<ExtensionContext, 'workspaceState'>;
  readonly accounts: Accounts;
  readonly interns: InternModel;
  readonly badge: ContainerBadge;
  readonly clock: Clock;
  readonly contextKeys: ContextKeys;
  readonly texts: TextEditing;
  readonly log: Log;
  readonly dialogs: QuickInputs;
  readonly refreshTriggers: RefreshTriggers;
  readonly registrar: CommandRegistrar;
  readonly settings: Settings;
  readonly window: string;
  readonly conversations: ConversationSource;
  readonly picker: InternPicker;
  readonly allowed: InternsTreePorts['allowed'];
}

interface Interns extends Disposable {
  /** Deletes an account's draft of instructions. */
  forgetDrafts(account: Account): Promise<void>;
}

/** Builds the Interns view, its commands, and the ways to create an intern. */
export function createInterns(options: InternsOptions): Interns {
  const { context, registrar, settings } = options;
  const store = new DisposableStore();
  const idempotencyHeader = () => settings.idempotencyHeader;
  const creations = store.add(new Creations({ ...options, idempotencyHeader, newId: randomUUID }));
  const view = store.add(
    new InternsView({ ...options, creations, layout: context.workspaceState }),
  );
  store.add(registerInternCommands(registrar, { ...options, view }));
  const creating = store.add(
    new CreateCommands(registrar, {
      ...options,
      creations,
      idempotencyHeader,
      reveal: (id) => view.reveal(id),
    }),
  );
  return {
    forgetDrafts: (account) => creating.forget(account),
    dispose: () => store.dispose(),
  };
}
