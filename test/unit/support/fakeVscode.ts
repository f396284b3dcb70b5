/**
 * Replaces the module `vscode` in unit tests: the few parts that work without an editor. Anything visible is tested
 * in the extension host.
 */

export const env = { language: 'en' };

type Argument = string | number | boolean;

/** A message with a comment for translators. */
interface Commented {
  readonly message: string;
  readonly args: readonly Argument[];
}

export const l10n = {
  /** Returns the English text with `{0}`, `{1}` filled in, as VS Code does without a translation. */
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

export class FileDecoration {
  readonly badge: string;
  readonly tooltip: string;
  readonly color: ThemeColor | undefined;

  constructor(badge: string, tooltip: string, color?: ThemeColor) {
    this.badge = badge;
    this.tooltip = tooltip;
    this.color = color;
  }
}

export class CancellationError extends Error {}

/** Not `node:path`: benchmarks use this module in pages. */
function join(...parts: readonly string[]): string {
  const names: string[] = [];
  for (const name of parts.join('/').split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

/** A URI without percent-encoding. */
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

/** Never thrown here. */
export class FileSystemError extends Error {}

export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 };
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };

/** Keeps the source; nothing is escaped. */
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

export const ExtensionKind = { UI: 1, Workspace: 2 };
export const UIKind = { Desktop: 1, Web: 2 };
export const TextEditorSelectionChangeKind = { Keyboard: 1, Mouse: 2, Command: 3 };

export class TabInputText {
  readonly uri: unknown;

  constructor(uri: unknown) {
    this.uri = uri;
  }
}

export class TabInputTextDiff {
  readonly modified: unknown;

  constructor(_original: unknown, modified: unknown) {
    this.modified = modified;
  }
}

export class TabInputWebview {
  readonly viewType: string;

  constructor(viewType: string) {
    this.viewType = viewType;
  }
}

export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
export const ColorThemeKind = { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 };
export const ViewColumn = {
  ...{ Active: -1, One: 1, Two: 2, Three: 3, Four: 4, Five: 5 },
  ...{ Six: 6, Seven: 7, Eight: 8, Nine: 9 },
};

export { Emitter as EventEmitter } from '../../../src/base/disposable.ts';

export const authentication = {};
export const window = {};
/** No setting is set. */
export const workspace = { getConfiguration: () => ({ get: () => undefined }) };
export const commands = {};
export const languages = {};
export const extensions = { getExtension: () => undefined };
