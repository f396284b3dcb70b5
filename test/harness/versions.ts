/** A version of VS Code, with the npm packages that replace it where it cannot be downloaded. */
export interface Release {
  /** The version that `@vscode/test-electron` downloads. */
  readonly vscode: string;
  /** The version of the npm package `code-server` with that VS Code. */
  readonly codeServer: string;
  /** The version of the npm package `node` that it needs; by default, the Node of the npm scripts. */
  readonly node?: string;
  /** Native packages without a prebuilt binary, replaced by an empty module: they are only needed for a log-in. */
  readonly standIns: readonly string[];
  /** The version of ripgrep for the file search, if code-server would have to download it. */
  readonly ripgrep?: string;
  /** The ids of the stock themes, for `workbench.colorTheme`. */
  readonly themes: Readonly<Record<Theme, string>>;
}

export type Theme = 'dark' | 'light' | 'highContrast' | 'highContrastLight';

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
