import { randomUUID } from 'node:crypto';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Account } from '../accounts/account.ts';
import type { HostParts } from '../parts.ts';
import type { ConversationSource } from './conversationSource.ts';
import { CreateCommands } from './createCommands.ts';
import { Creations } from './creations.ts';
import { registerInternCommands } from './internCommands.ts';
import { InternFileHelp } from './internFileHelp.ts';
import type { InternPicker } from './internPicker.ts';
import type { InternsTreePorts } from './internsTree.ts';
import { InternsView } from './internsView.ts';
import { KeptValues } from './keptValues.ts';

interface InternsParts extends HostParts {
  readonly conversations: ConversationSource;
  readonly picker: InternPicker;
  /** What was allowed always. */
  readonly allowed: InternsTreePorts['allowed'];
}

interface Interns extends Disposable {
  /** Forgets what was entered and written for interns of an account that were not created. */
  forgetDrafts(account: Account): Promise<void>;
}

/** Builds the Interns view, its commands, and the ways to create an intern. */
export function createInterns(parts: InternsParts): Interns {
  const { context, registrar, settings } = parts;
  const store = new DisposableStore();
  const idempotencyHeader = () => settings.idempotencyHeader;
  const creations = store.add(new Creations({ ...parts, idempotencyHeader, newId: randomUUID }));
  const view = store.add(new InternsView({ ...parts, creations, layout: context.workspaceState }));
  store.add(registerInternCommands(registrar, { ...parts, view }));
  const creating = store.add(
    new CreateCommands(registrar, {
      ...parts,
      creations,
      idempotencyHeader,
      kept: new KeptValues(parts),
      reveal: (id) => view.reveal(id),
    }),
  );
  store.add(
    new InternFileHelp(registrar, {
      ...parts,
      create: (values, startAt) => creating.createFrom(values, startAt),
    }),
  );
  return {
    forgetDrafts: (account) => creating.forget(account),
    dispose: () => store.dispose(),
  };
}
