/**
 * What unit tests see in place of the module `vscode`: the few parts of it that work without an editor. Whatever shows
 * something is tested in the extension host.
 */

export const env = { language: 'en' };

type Argument = string | number | boolean;

/** A message with a word for its translators. */
interface Commented {
  readonly message: string;
  readonly args: readonly Argument[];
}

export const l10n = {
  /** The English text with `{0}`, `{1}` filled in, as VS Code does where there is no translation. */
  t: (message: string | Commented, ...given: readonly Argument[]): string => {
    const { message: text, args } =
      typeof message === 'string' ? { message, args: given } : message;
    return text.replace(/\{(\d+)\}/g, (whole, index) => String(args[Number(index)] ?? whole));
  },
};

export class ThemeIcon {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeColor extends ThemeIcon {}

export class CancellationError extends Error {}

/** Not Node's own: benches draw pages with this module. */
function join(...parts: readonly string[]): string {
  const names: string[] = [];
  for (const name of parts.join('/').split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

/** The parts of an address, and its text without percent signs. */
export const Uri = {
  from: ({ scheme = '', path = '', query = '' }) => ({
    scheme,
    path,
    query,
    toString: () => `${scheme}:${path}${query === '' ? '' : `?${query}`}`,
  }),
  joinPath: ({ scheme = '', path = '' }, ...names: readonly string[]) =>
    Uri.from({ scheme, path: join(path, ...names) }),
};

/** A failure of a file system; none is thrown here. */
export class FileSystemError extends Error {}

export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 };
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };

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

  appendCodeblock(text: string): this {
    return this.appendText(text);
  }
}

/** A text that an agent's tool gives. */
export class LanguageModelTextPart {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelToolResult {
  readonly content: readonly LanguageModelTextPart[];

  constructor(content: readonly LanguageModelTextPart[]) {
    this.content = content;
  }
}

export const StatusBarAlignment = { Left: 1, Right: 2 };
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const ProgressLocation = { Window: 10, Notification: 15 };

export class TreeItem {
  readonly label: string;
  readonly collapsibleState: number;

  constructor(label: string, collapsibleState: number) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export const UIKind = { Desktop: 1, Web: 2 };
export const TextEditorSelectionChangeKind = { Keyboard: 1, Mouse: 2, Command: 3 };

export class TabInputText {
  readonly uri: unknown;

  constructor(uri: unknown) {
    this.uri = uri;
  }
}

export class TabInputWebview {
  readonly viewType: string;

  constructor(viewType: string) {
    this.viewType = viewType;
  }
}

export const ColorThemeKind = { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 };
export const ViewColumn = {
  ...{ Active: -1, One: 1, Two: 2, Three: 3, Four: 4, Five: 5 },
  ...{ Six: 6, Seven: 7, Eight: 8, Nine: 9 },
};

export const window = {};
export const workspace = {};
export const commands = {};
export const languages = {};
export const extensions = { getExtension: () => undefined };
