import { readdirSync } from 'node:fs';
import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * The layers of src/, from the ground up, and what each may reach: the folders below it, the packages it is built on.
 * One row is one lint block; a folder that is not in a row's `folders` is out of bounds for it.
 */
const layers = [
  {
    folder: 'base',
    folders: [],
    packages: [],
    instead: 'base imports nothing: pass what you need in as an argument.',
  },
  {
    folder: 'api',
    folders: ['base'],
    packages: ['eventsource-parser', 'valibot'],
    instead:
      'api knows HTTP and nothing else: take timers, ids and bytes as arguments, and put messages for users in platform/text.',
  },
  {
    folder: 'protocol',
    folders: ['base'],
    // Only the type of `l10n`.
    packages: ['valibot', 'vscode'],
    instead: 'protocol is plain data that host and page share: it imports base and valibot only.',
  },
  {
    folder: 'conversation',
    folders: ['base', 'api', 'protocol'],
    packages: ['valibot'],
    instead:
      'a conversation is pure: ask for effects through its ports (conversation/ports.ts), and implement those in features.',
  },
  {
    folder: 'webview',
    folders: ['base', 'protocol'],
    packages: ['marked', 'dompurify', 'highlight\\.js', 'temml'],
    instead: 'the page speaks only src/protocol: add a message there and let the host do the work.',
  },
  {
    folder: 'streamKeeper',
    folders: ['base', 'api'],
    // Neither imports VS Code.
    files: ['platform/storage/files\\.ts', 'platform/storage/processMark\\.ts'],
    packages: ['node:', 'valibot'],
    instead:
      'The keeper is a process of its own: it knows HTTP and files, and nothing of conversations.',
  },
  {
    folder: 'platform',
    folders: ['base', 'api', 'protocol', 'streamKeeper'],
    packages: ['vscode', 'node:', 'p-limit', 'valibot', 'strip-json-comments'],
    instead:
      'the platform knows VS Code and the disk, and no feature: take what you need as an argument.',
  },
];

/** The features, each of which may import those before it. */
const features = [
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
];

const allFolders = [...layers.map(({ folder }) => folder), 'features'];

for (const [parent, listed] of [
  ['src', allFolders],
  ['src/features', features],
]) {
  const folders = readdirSync(new URL(parent, import.meta.url), { withFileTypes: true });
  for (const { name } of folders.filter((each) => each.isDirectory()))
    if (!listed.includes(name)) throw new Error(`${parent}/${name} has no row in the tables above`);
}

const roots = ['extension', 'main'];

function layerBlock({ folder, folders, files = [], packages, instead }) {
  const banned = allFolders.filter((other) => other !== folder && !folders.includes(other));
  return block({ folder, banned: [...banned, ...roots], allowed: files, packages, instead });
}

/** The entry and the composition root: only the entry loads the root. */
function rootBlock(root) {
  return block({
    folder: `${root}.ts`,
    files: [`src/${root}.ts`],
    banned: ['webview', ...(root === 'main' ? roots : [])],
    packages: ['vscode', 'node:'],
    instead: 'The entry and the composition root build the host: the page is a bundle of its own.',
  });
}

function featureBlock(feature, index) {
  return block({
    folder: `features/${feature}`,
    banned: ['webview', ...features.slice(index + 1), ...roots],
    packages: ['vscode', 'node:', 'p-limit', 'valibot', 'dotenv'],
    instead: 'A feature imports what is below the features, and the features before it.',
  });
}

/** The lint block of a folder: `banned` are the folders that it may not import, but for the files in `allowed`. */
function block({
  folder,
  files = [`src/${folder}/**/*.ts`],
  banned,
  allowed = [],
  packages,
  instead,
}) {
  const upward = `^(\\.\\.?/)+(?!(${allowed.join('|') || '$never'})$)(${banned.join('|')})(/|\\.|$)`;
  const foreign = `^(?!\\.)(?!(${packages.join('|') || '$never'})(/|$|(?<=:)))`;
  const patterns = [
    { regex: upward, message: `${folder}/ may not import this. ${instead}` },
    { regex: foreign, message: `${folder}/ may not import this package. ${instead}` },
  ];
  return {
    files,
    rules: {
      'no-restricted-imports': ['error', { patterns }],
      'no-restricted-syntax': [
        'error',
        ...patterns.map(({ regex, message }) => ({
          selector: `ImportExpression[source.value=/${regex.replaceAll('/', '\\/')}/]`,
          message,
        })),
        ...syntaxBans(folder),
      ],
      'no-restricted-globals': ['error', ...globalBans(folder)],
    },
  };
}

/** Constants of a module: the values that `UPPER_CASE` marks as fixed data. */
const moduleConstant =
  ':matches(Program, ExportNamedDeclaration) > VariableDeclaration[kind="const"] > VariableDeclarator';
const fixedValues = [
  '[init.type=/^(Literal|TemplateLiteral|UnaryExpression|BinaryExpression)$/]',
  '[init.callee.name=/^(RegExp|Set)$/][init.arguments.length>0]',
  '[init.type="TSAsExpression"][init.expression.type="ArrayExpression"]',
];

function syntaxBans(folder) {
  const bans = [
    {
      selector: 'MemberExpression[object.name=/^(globalThis|window)$/][property.name="fetch"]',
      message: 'Only src/api speaks HTTP: add a method to the client.',
    },
    {
      selector:
        'CallExpression[callee.object.name="commands"][callee.property.name="registerCommand"]',
      message: 'Hand handlers to platform/commands/registrar.ts, which logs, reports and is typed.',
    },
    {
      selector: 'CallExpression > Literal[value="setContext"]',
      message:
        'Set context keys through platform/contextKeys.ts, which knows their names and types.',
    },
    {
      selector:
        'MemberExpression[property.name="retainContextWhenHidden"], Property[key.name="retainContextWhenHidden"]',
      message:
        'Hidden pages lose messages anyway: the page says what it has, the host sends the rest.',
    },
  ];
  const names = {
    selector: fixedValues
      .map((value) => `${moduleConstant}${value} > Identifier.id[name=/[a-z]/]`)
      .join(', '),
    message: 'Name fixed data of a module in UPPER_CASE, with its unit: MAX_PROMPT_CHARACTERS.',
  };
  return [...(folder === 'api' ? bans.slice(1) : bans), names];
}

function globalBans(folder) {
  const bans = folder === 'api' ? [] : [{ name: 'fetch', message: 'Only src/api speaks HTTP.' }];
  const isHost =
    ['platform', 'streamKeeper'].includes(folder) ||
    folder.startsWith('features/') ||
    folder.endsWith('.ts');
  if (isHost) return bans;
  if (folder !== 'webview') {
    for (const name of ['document', 'window', 'navigator', 'localStorage'])
      bans.push({ name, message: 'The DOM belongs to src/webview.' });
  }
  for (const name of ['process', 'Buffer', 'require', '__dirname'])
    bans.push({ name, message: 'Node belongs to src/platform and src/features.' });
  return bans;
}

export default tseslint.config(
  { ignores: ['dist/', '.cache/', 'coverage/', 'node_modules/', 'test/bench/node_modules/'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      'no-duplicate-imports': 'error',
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, allowDefaultCaseForExhaustiveSwitch: false },
      ],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  ...layers.map(layerBlock),
  ...features.map(featureBlock),
  ...roots.map(rootBlock),
  {
    files: ['src/platform/startup.ts', 'src/platform/contextKeys.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['build/**/*.ts', 'test/**/*.ts', 'test/**/*.mts'],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.js', '**/*.cjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', Buffer: 'readonly' },
    },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: {
      globals: { require: 'readonly', __dirname: 'readonly', __filename: 'readonly' },
    },
  },
  {
    files: ['test/service/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '(^|/)src/',
              message:
                'The local service is an independent reading of the interface: it shares no code with the extension.',
            },
          ],
        },
      ],
    },
  },
);
