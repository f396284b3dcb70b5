import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { thirdPartyNotices } from '../../../build/thirdPartyNotices.ts';
import { temporaryFolder, type TemporaryFolder } from '../../harness/paths.ts';

type Metafile = Parameters<typeof thirdPartyNotices>[0];

describe('thirdPartyNotices', () => {
  let root: TemporaryFolder;

  beforeEach(async () => {
    root = await temporaryFolder();
  });

  afterEach(() => root[Symbol.asyncDispose]());

  /** Writes a package into `node_modules`, or into a folder there. */
  async function writePackage(
    name: string,
    license: unknown,
    texts: Readonly<Record<string, string>> = { LICENSE: `License of ${name}` },
    parent = '',
  ) {
    const folder = path.join(root.path, parent, 'node_modules', name);
    await mkdir(folder, { recursive: true });
    const manifest = JSON.stringify({ name, version: '1.2.3', license });
    await writeFile(path.join(folder, 'package.json'), manifest);
    for (const [file, text] of Object.entries(texts))
      await writeFile(path.join(folder, file), text);
  }

  function output(inputs: Readonly<Record<string, number>>): Metafile['outputs'][string] {
    const entries = Object.entries(inputs);
    return {
      bytes: 0,
      imports: [],
      exports: [],
      inputs: Object.fromEntries(entries.map(([file, bytesInOutput]) => [file, { bytesInOutput }])),
    };
  }

  /** The notices of one bundle that holds these files. */
  async function noticesOf(...files: readonly string[]): Promise<string> {
    const inputs = Object.fromEntries(files.map((file) => [file, 1]));
    return await thirdPartyNotices({ outputs: { 'dist/main.js': output(inputs) } }, root.path);
  }

  it('the third-party notices name each package with version, license, source and text', async () => {
    await writePackage('@scope/one', 'MIT');
    const notices = await noticesOf('src/main.ts', 'node_modules/@scope/one/lib/index.js');
    assert.ok(
      notices.endsWith(
        '\n@scope/one 1.2.3\nLicense: MIT\nSource: https://www.npmjs.com/package/@scope/one/v/1.2.3\n\nLicense of @scope/one\n',
      ),
      notices,
    );
  });

  it('the third-party notices list each package once, in an order independent of the bundles', async () => {
    for (const name of ['b', 'a', '@z/z']) await writePackage(name, 'ISC');
    const [a, b, z] = ['a', 'b', '@z/z'].map((name) => `node_modules/${name}/index.js`);
    const first = {
      outputs: { 'page.js': output({ [b!]: 9, [a!]: 9 }), 'main.js': output({ [z!]: 9, [b!]: 9 }) },
    };
    const second = {
      outputs: { 'main.js': output({ [b!]: 9, [z!]: 9 }), 'page.js': output({ [a!]: 9 }) },
    };
    const notices = await thirdPartyNotices(first, root.path);
    assert.deepEqual(notices.match(/^.+ 1\.2\.3$/gm), ['@z/z 1.2.3', 'a 1.2.3', 'b 1.2.3']);
    assert.equal(await thirdPartyNotices(second, root.path), notices);
    assert.ok(!notices.includes(root.path));
  });

  it('the third-party notices leave out a package that is in no bundle', async () => {
    await writePackage('unused', 'GPL-3.0-only', {});
    await writePackage('shaken', 'GPL-3.0-only', {});
    const outputs = { 'main.js': output({ 'node_modules/shaken/index.js': 0, 'src/main.ts': 5 }) };
    assert.doesNotMatch(await thirdPartyNotices({ outputs }, root.path), /unused|shaken/);
  });

  it('the third-party notices find a package inside another package', async () => {
    await writePackage('inner', 'MIT', undefined, 'node_modules/outer');
    const notices = await noticesOf('node_modules/outer/node_modules/inner/index.js');
    assert.match(notices, /^inner 1\.2\.3$/m);
    assert.doesNotMatch(notices, /^outer/m);
  });

  it('the third-party notices include notice files and all alternative licenses', async () => {
    await writePackage('both', '(MPL-2.0 OR Apache-2.0)', {
      LICENSE: 'Apache text',
      'LICENSE-MPL': 'MPL text',
      'NOTICE.txt': 'Copyright notice',
      'license.js': 'code',
      'readme.md': 'about',
    });
    const notices = await noticesOf('node_modules/both/index.js');
    assert.ok(notices.endsWith('\n\nApache text\n\nMPL text\n\nCopyright notice\n'));
  });

  it('the third-party notices are the same whatever line ends a license has', async () => {
    await writePackage('windows', 'MIT', { 'LICENSE.md': '\uFEFF\r\n  MIT\r\ntext\r\n\r\n' });
    const notices = await noticesOf('node_modules/windows/index.js');
    assert.ok(notices.endsWith('\n\n  MIT\ntext\n'), notices);
    assert.doesNotMatch(notices, /[\r\uFEFF]/);
  });

  for (const [what, texts] of [
    ['no license file', {}],
    ['an empty license file', { LICENSE: '\n' }],
    ['only a notice file', { NOTICE: 'Copyright' }],
    ['only code that is named like a license', { 'license.js': 'export {}' }],
  ] as const)
    it(`the build fails for a package with ${what}`, async () => {
      await writePackage('bare', 'MIT', texts);
      await assert.rejects(noticesOf('node_modules/bare/index.js'), {
        message: 'These packages must not be bundled:\nbare 1.2.3 has no license text.',
      });
    });

  const allowed = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'MPL-2.0'];
  for (const license of [...allowed, 'GPL-2.0-only OR MIT'])
    it(`the build accepts a package with the license ${license}`, async () => {
      await writePackage('fine', license);
      assert.match(await noticesOf('node_modules/fine/index.js'), /^fine 1\.2\.3$/m);
    });

  for (const license of [
    ...[
      'GPL-3.0-only',
      '(GPL-2.0 OR LGPL-3.0)',
      'MIT AND GPL-3.0-only',
      '(MIT OR ISC) AND GPL-2.0',
    ],
    ...['(MIT OR ISC) AND (GPL-2.0 OR MIT)', 'GPL-2.0 AND (ISC OR MIT OR GPL-3.0)'],
    ...['SEE LICENSE IN MIT', 'UNLICENSED', 'mit', undefined],
  ])
    it(`the build fails for a package with the license ${license}`, async () => {
      await writePackage('strict', license);
      await assert.rejects(noticesOf('node_modules/strict/index.js'), {
        message: `These packages must not be bundled:\nstrict 1.2.3 has a license that is not allowed: ${license ?? 'none'}.`,
      });
    });

  it('the build accepts CC-BY-4.0 for icon fonts and their styles', async () => {
    await writePackage('icons', 'CC-BY-4.0');
    const dist = 'node_modules/icons/dist';
    const notices = await noticesOf(`${dist}/icons.css`, `${dist}/icons.ttf?721d4c0a`);
    assert.match(notices, /^icons 1\.2\.3$/m);
  });

  it('the build fails for code with the license CC-BY-4.0', async () => {
    await writePackage('icons', 'CC-BY-4.0');
    await assert.rejects(
      noticesOf('node_modules/icons/icons.css', 'node_modules/icons/index.js'),
      /icons 1\.2\.3 has the license CC-BY-4\.0, which is allowed for icons but not for node_modules\/icons\/index\.js\.$/,
    );
  });

  it('the build names every package that must not be bundled', async () => {
    await writePackage('first', 'GPL-3.0-only');
    await writePackage('second', 'MIT', {});
    await assert.rejects(
      noticesOf('node_modules/first/index.js', 'node_modules/second/index.js'),
      /first 1\.2\.3 .*\nsecond 1\.2\.3 /,
    );
  });
});
