/** Loads the stand-in for `vscode` before any module that imports it. */
import '../../unit/support/vscodeHook.ts';

await import('./measure.ts');
