import { assertMixesInProportion, markers } from '../unit/support/markerMixes.ts';

describe('a paragraph of two markers', () => {
  for (const one of markers)
    it(`the parser takes time in proportion to a paragraph of ${JSON.stringify(one)} and a marker`, () => {
      assertMixesInProportion(one, markers);
    }).timeout(300_000);
});
