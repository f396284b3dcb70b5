import { assertMixInProportion, markers } from '../unit/support/markerMixes.ts';

describe('A paragraph of a megabyte', () => {
  for (const one of markers)
    it(`takes at most 12 times as long as 100 KB, of ${JSON.stringify(one)} and a marker`, () => {
      for (const other of markers) assertMixInProportion(one, other);
    }).timeout(300_000);
});
