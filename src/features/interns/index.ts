import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Account } from '../accounts/account.ts';
import { CreateCommands } from './createCommands.ts';
import { Creations } from './creations.ts';
import { registerInternCommands } from './internCommands.ts';
import type { InternServices } from './internModel.ts';
import type { InternPicker } from './internPicker.ts';
import { InternsView, type InternsViewPorts } from './internsView.ts';

interface InternsOptions
  extends InternServices, Pick<InternsViewPorts, 'allowed' | 'conversations'> {
  readonly picker: InternPicker;
}

interface Interns extends Disposable {
  /** Deletes an account's draft of instructions. */
  forgetDrafts(account: Account): Promise<void>;
}

/** Builds the Interns view, its commands, and the ways to create an intern. */
export function createInterns(options: InternsOptions): Interns {
  const { registrar } = options;
  const store = new DisposableStore();
  const creations = store.add(new Creations(options));
  const view = store.add(new InternsView({ ...options, creations }));
  store.add(registerInternCommands(registrar, { ...options, view }));
  const creating = store.add(
    new CreateCommands(registrar, {
      ...options,
      creations,
      reveal: (id) => view.reveal(id),
    }),
  );
  return {
    forgetDrafts: (account) => creating.forget(account),
    dispose: () => store.dispose(),
  };
}
