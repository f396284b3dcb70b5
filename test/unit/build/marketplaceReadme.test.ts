import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { marketplaceReadme } from '../../../build/marketplaceReadme.ts';
import { projectFolder } from '../../harness/paths.ts';

const source = readFileSync(path.join(projectFolder, 'README.md'), 'utf8');
const addressPattern = /(?:\]\(|src="|srcset=")(?!https:|#)([^)"]+)/g;
const relativeAddresses = (text: string) =>
  Array.from(text.matchAll(addressPattern), ([, to]) => to!);

describe('marketplaceReadme', () => {
  it('pictures become plain images if the repository is known', () => {
    const readme = marketplaceReadme(source, true);
    assert.doesNotMatch(readme, /<(?:picture|source|img)\b/);
    const pictures = source.match(/<picture>/g)?.length;
    assert.equal(readme.match(/^!\[[^\]]+\]\(media\/\S+-light\.png\)$/gm)?.length, pictures);
  });

  it('images and relative links disappear if the repository is not known', () => {
    const readme = marketplaceReadme(source, false);
    assert.doesNotMatch(readme, /!\[|<img/);
    assert.deepEqual(relativeAddresses(readme), []);
    assert.match(readme, /describes the commands, keys and settings\./);
  });
});

describe('The README', () => {
  it('the README has at most 150 lines and names no missing file', () => {
    assert.ok(source.split('\n').length <= 150);
    const missing = relativeAddresses(source).filter(
      (each) => !existsSync(path.join(projectFolder, each)),
    );
    assert.deepEqual(missing, []);
  });
});
