/**
 * What unit tests see in place of the module `vscode`: the few parts of it that work without an editor. Whatever shows
 * something is tested in the extension host.
 */

export const env = { language: 'en' };

export const l10n = {
  /** The English text with `{0}`, `{1}` filled in, as VS Code does where there is no translation. */
  t: (message: string, ...args: readonly (string | number | boolean)[]): string =>
    message.replace(/\{(\d+)\}/g, (whole, index) => String(args[Number(index)] ?? whole)),
};

export class ThemeIcon {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeColor extends ThemeIcon {}

export class CancellationError extends Error {}

/** The parts of an address, and its text without percent signs. */
export const Uri = {
  from: ({ scheme = '', path = '', query = '' }) => ({
    scheme,
    path,
    query,
    toString: () => `${scheme}:${path}${query === '' ? '' : `?${query}`}`,
  }),
};

/** Markdown as its source; text that is appended stays as it is. */
export class MarkdownString {
  value = '';

  appendText(text: string): this {
    this.value += text;
    return this;
  }

  appendMarkdown(text: string): this {
    return this.appendText(text);
  }
}

export const StatusBarAlignment = { Left: 1, Right: 2 };
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };

export class TreeItem {
  readonly label: string;
  readonly collapsibleState: number;

  constructor(label: string, collapsibleState: number) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export const UIKind = { Desktop: 1, Web: 2 };
export const ViewColumn = { Active: -1 };
export const LanguageStatusSeverity = { Information: 0, Warning: 1, Error: 2 };

export const window = {};
export const workspace = {};
export const commands = {};
export const languages = {};
