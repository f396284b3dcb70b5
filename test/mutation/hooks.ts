/** Lets the modules of the project be loaded anew for each mutant, one of them with the mutant in it. */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { mutate, type Mutant } from './mutants.ts';

const ROOT = new URL('../../', import.meta.url).href;
const stripped = new Map<string, string>();

let generation = 0;
let current: Mutant | null = null;

/** From now on every module of src and test/unit is another one than before, and this mutant is in its file. */
export function plant(mutant: Mutant | null): number {
  current = mutant;
  return ++generation;
}

registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    return isOurs(resolved.url)
      ? { ...resolved, url: `${bare(resolved.url)}?${generation}` }
      : resolved;
  },
  load: (url, context, next) => {
    if (!isOurs(url)) return next(url, context);
    return { format: 'module', source: sourceOf(bare(url)), shortCircuit: true };
  },
});

function isOurs(url: string): boolean {
  const path = bare(url);
  return (
    path.endsWith('.ts') &&
    [`${ROOT}src/`, `${ROOT}test/unit/`].some((root) => path.startsWith(root))
  );
}

function bare(url: string): string {
  return url.replace(/\?.*$/, '');
}

function sourceOf(url: string): string {
  if (current !== null && url === ROOT + current.file) {
    return stripTypeScriptTypes(mutate(readFileSync(fileURLToPath(url), 'utf8'), current));
  }
  const known = stripped.get(url);
  if (known !== undefined) return known;
  const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
  stripped.set(url, source);
  return source;
}
