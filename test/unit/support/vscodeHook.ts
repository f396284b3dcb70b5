/** Loaded by mocha before all tests: resolves `vscode`, which exists in an extension host alone, to a stand-in. */
import { registerHooks } from 'node:module';

const standIn = new URL('fakeVscode.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'vscode' ? { url: standIn, shortCircuit: true } : nextResolve(specifier, context),
});
