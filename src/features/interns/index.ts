import { randomUUID } from 'node:crypto';
import type { ExtensionContext } from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Account } from '../accounts/account.ts';
import type { ContainerBadge } from './containerBadge.ts';
import type { ConversationSource } from './conversationSource.ts';
import { CreateCommands } from './createCommands.ts';
import { Creations } from './creations.ts';
import { registerInternCommands } from './internCommands.ts';
import type { InternServices } from './internModel.ts';
import type { InternPicker } from './internPicker.ts';
import type { InternsTreePorts } from './internsTree.ts';
import { InternsView } from './internsView.ts';

interface InternsOptions extends InternServices {
  readonly context: Pick<ExtensionContext, 'workspaceState'>;
  readonly badge: ContainerBadge;
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
