import { Creations } from '../../../src/features/interns/creations.ts';
import { InternModel } from '../../../src/features/interns/internModel.ts';

type CreationPorts = ConstructorParameters<typeof Creations>[0];

/** The interns and creations of a window. */
export function creating(
  ports: Pick<CreationPorts, 'accounts' | 'clock' | 'log'>,
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
