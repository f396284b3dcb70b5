/** Rules of this project for oxlint: what each folder of src/ may import, and what has one place or form. */
import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The imports of a folder of src/, or of a file that ends in `.ts`. */
interface Layer {
  readonly folder: string;
  /** Folders and files of src/. */
  readonly imports: readonly string[];
  /** Packages with their subpaths; `node:` is all of Node. */
  readonly packages: readonly string[];
  /** Tells what to do instead of another import. */
  readonly instead: string;
}

/** The layers, from the ground up. A layer may also import itself, and nothing that its row does not list. */
const LAYERS: readonly Layer[] = [
  {
    folder: 'base',
    imports: [],
    packages: [],
    instead: 'base imports nothing: pass what you need in as an argument.',
  },
  {
    folder: 'api',
    imports: ['base'],
    packages: ['eventsource-parser', 'valibot'],
    instead:
      'api knows HTTP and nothing else: take timers, IDs and bytes as arguments, and put messages for users in platform/text.',
  },
  {
    folder: 'protocol',
    imports: ['base'],
    // Only the type of `l10n`.
    packages: ['valibot', 'vscode'],
    instead: 'protocol is plain data that host and page share: it imports base and valibot only.',
  },
  {
    folder: 'conversation',
    imports: ['base', 'api'],
    packages: ['valibot'],
    instead:
      'a conversation is pure: ask for effects through its ports (conversation/ports.ts), and implement those in features.',
  },
  {
    folder: 'webview',
    imports: ['base', 'protocol'],
    packages: ['marked', 'dompurify', 'highlight.js', 'temml'],
    instead: 'the page speaks only src/protocol: add a message there and let the host do the work.',
  },
  {
    folder: 'streamKeeper',
    // The two files do not import VS Code.
    imports: ['base', 'api', 'platform/storage/files.ts', 'platform/storage/processMark.ts'],
    packages: ['node:', 'valibot'],
    instead:
      'The keeper is a process of its own: it knows HTTP and files, and nothing of conversations.',
  },
  {
    folder: 'platform',
    imports: ['base', 'api', 'protocol', 'streamKeeper'],
    packages: ['vscode', 'node:', 'p-limit', 'valibot', 'strip-json-comments'],
    instead:
      'the platform knows VS Code and the disk, and no feature: take what you need as an argument.',
  },
];

/** The features, each of which may import those before it. */
const FEATURES = [
  'accounts',
  'keyInfo',
  'interns',
  'vault',
  'editor',
  'context',
  'questions',
  'conversations',
  'chatPanel',
  'agents',
  'digest',
  'diagnostics',
] as const;

const BELOW_FEATURES = LAYERS.map(({ folder }) => folder).filter((folder) => folder !== 'webview');

const ROWS: readonly Layer[] = [
  ...LAYERS,
  ...FEATURES.map((feature, index) => ({
    folder: `features/${feature}`,
    imports: [...BELOW_FEATURES, ...FEATURES.slice(0, index).map((before) => `features/${before}`)],
    packages: ['vscode', 'node:', 'p-limit', 'valibot', 'dotenv'],
    instead: 'A feature imports what is below the features, and the features before it.',
  })),
  // The entry and the composition root: only the entry loads the root.
  ...['extension.ts', 'main.ts'].map((root) => ({
    folder: root,
    imports: [...BELOW_FEATURES, 'features', ...(root === 'extension.ts' ? ['main.ts'] : [])],
    packages: ['vscode', 'node:'],
    instead: 'The entry and the composition root build the host: the page is a bundle of its own.',
  })),
];

const ROOT = path.join(import.meta.dirname, '..');

for (const parent of ['', 'features/']) {
  const names = readdirSync(path.join(ROOT, 'src', parent), { withFileTypes: true })
    .filter((each) => each.isDirectory() && each.name !== 'features')
    .map(({ name }) => parent + name);
  const missing = names.filter((name) => !ROWS.some(({ folder }) => folder === name));
  if (missing.length > 0) throw new Error(`${missing.join(', ')} of src/ have no row above`);
}

const isWithin = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`);

/** Returns the reason why a file of src/ may not import something, or undefined if it may. */
function importProblem(file: string, specifier: string): string | undefined {
  const layer = ROWS.find(({ folder }) => isWithin(file, folder));
  if (layer === undefined) return undefined;
  const { folder, imports, packages, instead } = layer;
  const imported = path.posix.join(path.posix.dirname(file), specifier);
  const mayImport = specifier.startsWith('.')
    ? [folder, ...imports].some((each) => isWithin(imported, each))
    : packages.some(
        (name) => isWithin(specifier, name) || (name === 'node:' && specifier.startsWith(name)),
      );
  return mayImport ? undefined : `${folder} may not import this. ${instead}`;
}

/** Constants of a module: the values that `UPPER_CASE` marks as fixed data. */
const MODULE_CONSTANT =
  ':matches(Program, ExportNamedDeclaration) > VariableDeclaration[kind="const"] > VariableDeclarator';
const FIXED_VALUES = [
  '[init.type=/^(Literal|TemplateLiteral|UnaryExpression|BinaryExpression)$/]',
  '[init.callee.name=/^(RegExp|Set)$/][init.arguments.length>0]',
  '[init.type="TSAsExpression"][init.expression.type="ArrayExpression"]',
] as const;

/** Selectors of what has one place or form, and what to do instead. */
const CONVENTIONS: Readonly<Record<string, string>> = {
  'CallExpression[callee.object.name="commands"][callee.property.name="registerCommand"]':
    'Hand handlers to platform/commands/registrar.ts, which logs, reports and is typed.',
  'CallExpression > Literal[value="setContext"]':
    'Set context keys through platform/contextKeys.ts, which knows their names and types.',
  'MemberExpression[property.name="retainContextWhenHidden"], Property[key.name="retainContextWhenHidden"]':
    'Hidden pages lose messages anyway: the page says what it has, the host sends the rest.',
  [FIXED_VALUES.map((value) => `${MODULE_CONSTANT}${value} > Identifier.id[name=/[a-z]/]`).join(
    ', ',
  )]: 'Name fixed data of a module in UPPER_CASE, with its unit: MAX_PROMPT_CHARACTERS.',
};

interface Context {
  /** An absolute path. */
  readonly filename: string;
  readonly report: (problem: { readonly node: object; readonly message: string }) => void;
}

interface ImportNode {
  readonly source: { readonly value?: unknown } | null;
}

/** Checks imports, also those of types and at run time. */
function createLayers({ filename, report }: Context) {
  const file = path.relative(path.join(ROOT, 'src'), filename).replaceAll('\\', '/');
  const check = (node: ImportNode): void => {
    const message =
      typeof node.source?.value === 'string' ? importProblem(file, node.source.value) : undefined;
    if (message !== undefined) report({ node, message });
  };
  return {
    ImportDeclaration: check,
    ExportNamedDeclaration: check,
    ExportAllDeclaration: check,
    ImportExpression: check,
    TSImportType: check,
  };
}

function createConventions({ report }: Context) {
  return Object.fromEntries(
    Object.entries(CONVENTIONS).map(([selector, message]) => [
      selector,
      (node: object) => report({ node, message }),
    ]),
  );
}

export default {
  meta: { name: 'interns' },
  rules: { layers: { create: createLayers }, conventions: { create: createConventions } },
};
