/** Writes the notices that the licenses of bundled packages require. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Metafile } from 'esbuild';

/** SPDX identifiers of the licenses that a bundled package may have. */
const allowedLicenses = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'MPL-2.0'];

/** A license that is meant for icons, and that only icon fonts and their styles may have. */
const iconLicense = 'CC-BY-4.0';
const iconFile = /\.(?:css|svg|ttf|woff2?)$/;

/** Files of a package that belong into the notices, and those of them that hold its license. */
const legalFile = /^(?:licen[cs]e|copying|notice|third-?party)/i;
const licenseFile = /^(?:licen[cs]e|copying)/i;
const codeFile = /\.(?:[cm]?[jt]sx?|json|map)$/;

const heading = `Third-party notices

Interns contains code and icons of the packages below. The code is minified, and
an icon font holds only the icons that Interns shows. The license of each package
follows its name.
`;

interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** The texts of its license and notice files. */
  readonly texts: readonly string[];
  /** Why it must not be shipped, if there is a reason. */
  readonly problem: string | undefined;
}

/**
 * Collects the licenses and notices of all packages that have a part in a bundle. The result depends only on the
 * packages, not on the machine or the time.
 *
 * @param metafile the metafile of all bundles.
 * @param root the folder that the paths in the metafile are relative to.
 * @throws an Error that names each package whose license text is missing or whose license is not allowed.
 */
export async function thirdPartyNotices(
  metafile: Pick<Metafile, 'outputs'>,
  root: string,
): Promise<string> {
  const bundled = Array.from(bundledFiles(metafile)).sort(([a], [b]) => (a < b ? -1 : 1));
  const packages = await Promise.all(
    bundled.map(([folder, files]) => readPackage(path.join(root, folder), files)),
  );
  const problems = packages.flatMap(({ problem }) => problem ?? []);
  if (problems.length > 0) {
    throw new Error(`These packages must not be bundled:\n${problems.join('\n')}`);
  }
  return [heading, ...packages.map(section)].join(`\n${'='.repeat(80)}\n\n`);
}

/** Returns the bundled files of each package, by the package's folder. */
function bundledFiles({ outputs }: Pick<Metafile, 'outputs'>): Map<string, string[]> {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const files = new Map<string, string[]>();
  for (const [input, { bytesInOutput }] of inputs) {
    // The last node_modules counts: a package can hold others.
    const folder = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];
    if (folder === undefined || bytesInOutput === 0) continue;
    // A style sheet can name a font with a query.
    files.set(folder, [...(files.get(folder) ?? []), input.replace(/\?.*$/, '')]);
  }
  return files;
}

async function readPackage(folder: string, files: readonly string[]): Promise<BundledPackage> {
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: unknown;
  };
  const { name, version } = manifest;
  const license = typeof manifest.license === 'string' ? manifest.license : 'none';
  const legal = await readLegalFiles(folder);
  const hasLicense = legal.some((file) => licenseFile.test(file.name) && file.text !== '');
  const fault = hasLicense ? licenseFault(license, files) : 'has no license text';
  const problem = fault && `${name} ${version} ${fault}.`;
  return { name, version, license, texts: legal.map(({ text }) => text), problem };
}

/** Reads the license and notice files of a package, sorted by name. */
async function readLegalFiles(folder: string) {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && legalFile.test(entry.name) && !codeFile.test(entry.name))
    .map(({ name }) => name)
    .sort();
  return await Promise.all(
    names.map(async (name) => ({ name, text: await readText(path.join(folder, name)) })),
  );
}

/** Says what is wrong with a license, in words that follow the name of its package. */
function licenseFault(license: string, files: readonly string[]): string | undefined {
  // One allowed alternative is enough. An expression with inner parentheses is for a person to read.
  const [, alternatives = ''] = /^\(?([^()]*)\)?$/.exec(license) ?? [];
  if (alternatives.split(' OR ').some((each) => allowedLicenses.includes(each))) return undefined;
  if (license !== iconLicense) return `has a license that is not allowed: ${license}`;
  const code = files.find((file) => !iconFile.test(file));
  return code && `has the license ${iconLicense}, which is allowed for icons but not for ${code}`;
}

/** Reads a text without what differs between editors: a byte order mark, line ends, blank lines around it. */
async function readText(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  return text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replace(/^\s*\n/, '')
    .trimEnd();
}

function section({ name, version, license, texts }: BundledPackage): string {
  const source = `https://www.npmjs.com/package/${name}/v/${version}`;
  const about = `${name} ${version}\nLicense: ${license}\nSource: ${source}`;
  return `${[about, ...texts].join('\n\n')}\n`;
}
