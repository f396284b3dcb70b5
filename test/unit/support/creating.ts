import type { ListServices } from '../../../src/features/accounts/account.ts';
import { Creations } from '../../../src/features/interns/creations.ts';
import { InternModel } from '../../../src/features/interns/internModel.ts';

/** The interns and creations of a window. */
export function creating(
  ports: ListServices,
  settings = { idempotencyHeader: '' },
  window = 'here',
): { interns: InternModel; creations: Creations; dispose: () => void } {
  const interns = new InternModel(ports);
  const creations = new Creations({ ...ports, interns, settings, window });
  return {
    interns,
    creations,
    dispose: () => [creations, interns].forEach((part) => part.dispose()),
  };
}
