import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { HostParts } from '../parts.ts';
import { registerEnvActions } from './envActions.ts';
import { registerImportCommands } from './importCommands.ts';
import { SecretCommands } from './secretCommands.ts';
import { SecretModel } from './secretModel.ts';
import { SecretsView } from './secretsView.ts';

/** Builds the Vault Secrets view, its commands, and the ways to store secrets. */
export function createVault(parts: HostParts): Disposable {
  const store = new DisposableStore();
  const secrets = store.add(new SecretModel(parts));
  store.add(new SecretsView({ ...parts, secrets }));
  store.add(new SecretCommands(parts.registrar, { ...parts, secrets }));
  store.add(registerImportCommands(parts.registrar, { ...parts, secrets }));
  store.add(registerEnvActions());
  return store;
}
