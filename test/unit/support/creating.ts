import { Creations } from '../../../src/features/interns/creations.ts';
import { InternModel } from '../../../src/features/interns/internModel.ts';

type CreationPorts = ConstructorParameters<typeof Creations>[0];

/** The interns and creates of a window, with counted ids. */
export function creating(
  ports: Pick<CreationPorts, 'accounts' | 'clock' | 'log'>,
  idempotencyHeader = () => '',
  window = 'here',
): { interns: InternModel; creations: Creations; dispose: () => void } {
  let ids = 0;
  const newId = () => `uuid-${(ids += 1)}`;
  const interns = new InternModel(ports);
  const creations = new Creations({ ...ports, interns, idempotencyHeader, newId, window });
  return {
    interns,
    creations,
    dispose: () => [creations, interns].forEach((part) => part.dispose()),
  };
}
