/** One VS Code that the suites run in, as the npm packages that it is made of where it cannot be downloaded itself. */
export interface Release {
  /** The version of VS Code itself, as `@vscode/test-electron` downloads it. */
  readonly vscode: string;
  /** The version of the npm package `code-server` that holds that VS Code. */
  readonly codeServer: string;
  /** The version of the npm package `node` that it runs under; absent: the Node of the npm scripts. */
  readonly node?: string;
  /** Native packages that have no prebuilt binary and are not needed without a log-in: an empty module takes their place. */
  readonly standIns: readonly string[];
  /** The version of ripgrep, for the file search, where code-server's own package would have to download it. */
  readonly ripgrep?: string;
  /** The ids of its stock themes, for the setting `workbench.colorTheme`. */
  readonly themes: Readonly<Record<Theme, string>>;
}

/** The stock themes that every release has, by what they are to a user. */
export type Theme = 'dark' | 'light' | 'highContrast' | 'highContrastLight';

/** Both ends of `engines.vscode` in package.json. */
export const releases = {
  newest: {
    vscode: '1.139.1',
    codeServer: '4.139.1',
    standIns: [],
    themes: {
      dark: 'Dark Modern',
      light: 'Light Modern',
      highContrast: 'Default High Contrast',
      highContrastLight: 'Default High Contrast Light',
    },
  },
  oldest: {
    vscode: '1.100.3',
    codeServer: '4.100.3',
    node: '20.20.2',
    standIns: ['argon2'],
    ripgrep: '1.18.0',
    themes: {
      dark: 'Default Dark Modern',
      light: 'Default Light Modern',
      highContrast: 'Default High Contrast',
      highContrastLight: 'Default High Contrast Light',
    },
  },
} as const satisfies Record<string, Release>;

export type ReleaseName = keyof typeof releases;
