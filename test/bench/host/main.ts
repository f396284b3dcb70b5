/** Where nothing but Node runs, `vscode` is a stand-in: it is put in place before anything is loaded that asks for it. */
import '../../unit/support/vscodeHook.ts';

await import('./window.ts');
