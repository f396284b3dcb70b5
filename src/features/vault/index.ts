import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/clock.ts';
import type { CommandRegistrar } from '../../platform/commands/registrar.ts';
import type { ContextKeys } from '../../platform/contextKeys.ts';
import type { Dialogs } from '../../platform/dialogs/dialogs.ts';
import type { Log } from '../../platform/log/log.ts';
import type { RefreshTriggers } from '../../platform/refreshTriggers.ts';
import type { Accounts } from '../accounts/account.ts';
import { registerEnvActions, registerImportCommands } from './importCommands.ts';
import { SecretCommands } from './secretCommands.ts';
import { SecretModel } from './secretModel.ts';
import { SecretsView } from './secretsView.ts';

interface VaultOptions {
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly contextKeys: ContextKeys;
  readonly log: Log;
  readonly dialogs: Dialogs;
  readonly refreshTriggers: RefreshTriggers;
  readonly registrar: CommandRegistrar;
}

/** Builds the Vault Secrets view, its commands, and the ways to store secrets. */
export function createVault(options: VaultOptions): Disposable {
  const store = new DisposableStore();
  const secrets = store.add(new SecretModel(options));
  store.add(new SecretsView({ ...options, secrets }));
  store.add(new SecretCommands(options.registrar, { ...options, secrets }));
  store.add(registerImportCommands(options.registrar, { ...options, secrets }));
  store.add(registerEnvActions());
  return store;
}
