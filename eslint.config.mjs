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
      'api knows HTTP and nothing else: take timers, ids and bytes as arguments, and put words for users in host.',
  },
  {
    folder: 'protocol',
    folders: ['base'],
    packages: ['valibot'],
    instead: 'protocol is plain data that host and page share: it imports base and valibot only.',
  },
  {
    folder: 'chat',
    folders: ['base', 'api', 'protocol'],
    packages: ['valibot'],
    instead:
      'chat is pure: ask for effects through its ports (Clock, Prompts, Transcript), and implement those in host.',
  },
  {
    folder: 'webview',
    folders: ['base', 'protocol'],
    packages: ['marked', 'dompurify', 'highlight\\.js'],
    instead: 'the page speaks only src/protocol: add a message there and let the host do the work.',
  },
  {
    folder: 'host',
    folders: ['base', 'api', 'protocol', 'chat'],
    packages: ['vscode', 'node:', 'valibot', 'dotenv', 'strip-json-comments'],
    instead: 'the host reaches the page through src/protocol, and the service through src/api.',
  },
];

const allFolders = layers.map(({ folder }) => folder);

function layerBlock({ folder, folders, packages, instead }) {
  const banned = allFolders.filter((other) => other !== folder && !folders.includes(other));
  const upward = `^(\\.\\.?/)+(${[...banned, 'extension', 'main'].join('|')})(/|\\.|$)`;
  const foreign = `^(?!\\.)(?!(${packages.join('|') || '$never'})(/|$|(?<=:)))`;
  const patterns = [
    { regex: upward, message: `${folder}/ may not import this. ${instead}` },
    { regex: foreign, message: `${folder}/ may not import this package. ${instead}` },
  ];
  return {
    files: [`src/${folder}/**/*.ts`],
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

function syntaxBans(folder) {
  const bans = [
    {
      selector: 'MemberExpression[object.name=/^(globalThis|window)$/][property.name="fetch"]',
      message: 'Only src/api speaks HTTP: add a method to the client.',
    },
    {
      selector:
        'CallExpression[callee.object.name="commands"][callee.property.name="registerCommand"]',
      message: 'Hand handlers to host/commands/registrar.ts, which logs, reports and is typed.',
    },
    {
      selector: 'CallExpression > Literal[value="setContext"]',
      message: 'Set context keys through host/contextKeys.ts, which knows their names and types.',
    },
    {
      selector:
        'MemberExpression[property.name="retainContextWhenHidden"], Property[key.name="retainContextWhenHidden"]',
      message:
        'Hidden pages lose messages anyway: the page says what it has, the host sends the rest.',
    },
  ];
  return folder === 'api' ? bans.slice(1) : bans;
}

function globalBans(folder) {
  const bans = folder === 'api' ? [] : [{ name: 'fetch', message: 'Only src/api speaks HTTP.' }];
  if (folder === 'host') return bans;
  if (folder !== 'webview') {
    for (const name of ['document', 'window', 'navigator', 'localStorage'])
      bans.push({ name, message: 'The DOM belongs to src/webview.' });
  }
  for (const name of ['process', 'Buffer', 'require', '__dirname'])
    bans.push({ name, message: 'Node belongs to src/host.' });
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
  {
    files: ['src/host/startup/forwardedCommands.ts', 'src/host/contextKeys.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['test/**/*.ts', 'test/**/*.mts'],
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
    languageOptions: { globals: { require: 'readonly', __dirname: 'readonly' } },
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
