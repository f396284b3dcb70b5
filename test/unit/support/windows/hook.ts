/** Loaded by mocha before tests that run as on Windows (windows.test.ts): replaces modules of Node. */
import fs from 'node:fs';
import { registerHooks } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { toWindows, windowsFunctions } from './fileSystem.ts';

type Module = Record<string, unknown>;

/** Modules by the name in an import, for tests and for the extension. */
function modulesFor(isScanned: boolean): Readonly<Record<string, Module>> {
  return {
    'node:fs': windowsFunctions(fs, isScanned),
    'node:fs/promises': windowsFunctions(fs.promises, isScanned),
    'node:path': path.win32 as unknown as Module,
    'node:os': { ...os, tmpdir: () => toWindows(os.tmpdir()) },
  };
}

const modules = { tests: modulesFor(false), extension: modulesFor(true) };
const shared = Symbol.for('interns.windowsModules');
Object.assign(globalThis, { [shared]: modules });

const SCHEME = 'windows:';

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const user = userOf(context.parentURL ?? '');
    return user !== undefined && specifier in modules[user]
      ? { url: `${SCHEME}${user}/${specifier}`, shortCircuit: true }
      : nextResolve(specifier, context);
  },
  load: (url, context, nextLoad) =>
    url.startsWith(SCHEME)
      ? { format: 'module', source: sourceOf(url.slice(SCHEME.length)), shortCircuit: true }
      : nextLoad(url, context),
});

function userOf(importer: string): keyof typeof modules | undefined {
  if (importer.includes('/support/windows/')) return undefined;
  if (importer.includes('/src/')) return 'extension';
  return importer.includes('/test/unit/') ? 'tests' : undefined;
}

/** Returns the code of a module that exports the replaced functions. */
function sourceOf(name: string): string {
  const user = name.startsWith('tests') ? 'tests' : 'extension';
  const specifier = name.slice(user.length + 1);
  const names = Object.keys(modules[user][specifier] ?? {}).filter((each) => each !== 'default');
  return `const module = globalThis[Symbol.for('interns.windowsModules')].${user}['${specifier}'];
export const { ${names.join(', ')} } = module;
export default module;`;
}
