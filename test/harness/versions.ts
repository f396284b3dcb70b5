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
  /** The id of the dark stock theme, for `workbench.colorTheme`. */
  readonly darkTheme: string;
}

export const releases = {
  newest: {
    vscode: '1.139.1',
    codeServer: '4.139.1',
    standIns: [],
    darkTheme: 'Dark Modern',
  },
  oldest: {
    vscode: '1.100.3',
    codeServer: '4.100.3',
    node: '20.20.2',
    standIns: ['argon2'],
    ripgrep: '1.18.0',
    darkTheme: 'Default Dark Modern',
  },
} as const satisfies Record<string, Release>;

export type ReleaseName = keyof typeof releases;
