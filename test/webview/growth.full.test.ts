import { samples } from '../harness/testSet.ts';
import {
  assertMixesInProportion,
  costlyMarkers,
  markers,
} from '../unit/webview/support/markerMixes.ts';

const others = samples(markers, costlyMarkers);

describe('a paragraph of two markers', () => {
  for (const one of markers)
    it(`the parser takes time in proportion to a paragraph of ${JSON.stringify(one)} and a marker`, () => {
      assertMixesInProportion(one, others);
    }).timeout(300_000);
});
