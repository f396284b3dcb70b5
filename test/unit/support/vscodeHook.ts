/** Loaded by mocha before all tests: resolves `vscode` to a fake. */
import { registerHooks } from 'node:module';

const standIn = new URL('fakeVscode.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'vscode' ? { url: standIn, shortCircuit: true } : nextResolve(specifier, context),
});
