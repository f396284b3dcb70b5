import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { AccountServices } from '../accounts/account.ts';
import { registerEnvActions, registerImportCommands } from './importCommands.ts';
import { SecretCommands } from './secretCommands.ts';
import { SecretModel } from './secretModel.ts';
import { SecretsView } from './secretsView.ts';

/** Builds the Vault Secrets view, its commands, and the ways to store secrets. */
export function createVault(options: AccountServices): Disposable {
  const store = new DisposableStore();
  const secrets = store.add(new SecretModel(options));
  store.add(new SecretsView({ ...options, secrets }));
  store.add(new SecretCommands(options.registrar, { ...options, secrets }));
  store.add(registerImportCommands(options.registrar, { ...options, secrets }));
  store.add(registerEnvActions());
  return store;
}
