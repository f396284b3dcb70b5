import { assertMixInProportion, markers } from '../unit/support/markerMixes.ts';

describe('a paragraph of a megabyte', () => {
  for (const one of markers)
    it(`a megabyte of ${JSON.stringify(one)} and a marker takes at most 12 times as long as 100 KB`, () => {
      for (const other of markers) assertMixInProportion(one, other);
    }).timeout(300_000);
});
