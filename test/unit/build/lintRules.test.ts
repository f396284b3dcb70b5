import path from 'node:path';
import { RuleTester } from 'oxlint/plugins-dev';
import plugin from '../../../build/lintRules.ts';

const src = path.join(import.meta.dirname, '../../../src');
const { layers, conventions } = plugin.rules;

type Rule = Parameters<RuleTester['run']>[1];

/** Returns a case for a file of src/ and its code. */
const inFile = (file: string, code: string) => ({ filename: path.join(src, file), code });

const tester = new RuleTester({ languageOptions: { parserOptions: { lang: 'ts' } } });

tester.run('layers', layers as Rule, {
  valid: [
    inFile('api/a.ts', "import { b } from '../base/b.ts';"),
    inFile('api/a.ts', "import * as valibot from 'valibot';"),
    inFile('api/deep/a.ts', "import { b } from '../b.ts';"),
    inFile('conversation/a.ts', "import { b } from '../api/index.ts';"),
    inFile('streamKeeper/a.ts', "import { b } from '../platform/storage/files.ts';"),
    inFile('features/vault/a.ts', "import { b } from '../accounts/b.ts';"),
    inFile('features/vault/a.ts', "import { b } from 'node:fs/promises';"),
    inFile('extension.ts', "const main = await import('./main.ts');"),
  ],
  invalid: [
    ['base/a.ts', "import { b } from '../api/index.ts';"],
    ['base/a.ts', "import type { b } from 'node:fs';"],
    ['base/a.ts', "export type B = import('../api/index.ts').B;"],
    ['api/a.ts', "import { b } from 'valibot-other';"],
    ['api/a.ts', "import { b } from '../../test/b.ts';"],
    ['conversation/a.ts', "import * as vscode from 'vscode';"],
    ['conversation/a.ts', "import type { b } from '../protocol/view.ts';"],
    ['conversation/a.ts', "export * from '../features/vault/b.ts';"],
    ['webview/a.ts', "export { b } from '../platform/b.ts';"],
    ['streamKeeper/a.ts', "import { b } from '../platform/storage/journalFile.ts';"],
    ['features/vault/a.ts', "const chat = await import('../chatPanel/b.ts');"],
    ['features/vault/a.ts', "import { b } from '../../webview/b.ts';"],
    ['main.ts', "import { b } from './extension.ts';"],
  ].map(([file = '', code = '']) => ({
    ...inFile(file, code),
    errors: [{ message: /may not import this\./ }],
  })),
});

tester.run('conventions', conventions as Rule, {
  valid: [
    inFile('base/a.ts', 'export const MAX_PROMPT_CHARACTERS = 5;'),
    inFile('base/a.ts', 'export const known = new Set();'),
    inFile('base/a.ts', 'export function f() { const local = 5; return local; }'),
  ],
  invalid: [
    'commands.registerCommand("a", () => undefined);',
    'void commands.executeCommand("setContext", "a", true);',
    'export const OPTIONS = { retainContextWhenHidden: true };',
    'export const maxCharacters = 5;',
    'const pattern = new RegExp("a");',
    'const known = new Set(["a"]);',
    'const KINDS = ["a"] as const, kinds = ["b"] as const;',
  ].map((code) => ({ ...inFile('features/vault/a.ts', code), errors: 1 })),
});
