import { posix } from 'node:path';
import stripJsonComments from 'strip-json-comments';
import * as v from 'valibot';
import { ColorThemeKind, extensions, Uri, window, workspace } from 'vscode';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import type { CodeColors } from '../../protocol/view.ts';
import type { Log } from '../log/log.ts';
import { codeColors, readRules, type TokenRule } from './tokenColors.ts';

/** The size of the largest theme file that is read. The largest known ones have a twentieth of it. */
const MAX_THEME_BYTES = 2 * 1_048_576;
/** How many theme files may include each other. */
const MAX_INCLUDES = 8;

const contributionSchema = v.object({
  id: v.optional(v.string()),
  label: v.optional(v.string()),
  uiTheme: v.optional(v.string()),
  path: v.string(),
});
const manifestSchema = v.object({ contributes: v.object({ themes: v.array(v.unknown()) }) });
const themeSchema = v.object({
  include: v.optional(v.string()),
  tokenColors: v.optional(v.unknown()),
});

/** The colors of code in the editor's theme, read on first use and whenever the theme changes. */
export class ThemeColors extends DisposableBase {
  readonly #log: Pick<Log, 'warn'>;
  readonly #changed = this.own(new Emitter<CodeColors>());
  #colors: Promise<CodeColors> | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(log: Pick<Log, 'warn'>) {
    super();
    this.#log = log;
    this.own(window.onDidChangeActiveColorTheme(() => void this.#reload()));
  }

  /** Returns the theme's colors; none if they cannot be read, so that the page uses its own. */
  get(): Promise<CodeColors> {
    this.#colors ??= this.#read();
    return this.#colors;
  }

  async #reload(): Promise<void> {
    if (this.#colors === undefined) return;
    const reading = this.#read();
    this.#colors = reading;
    const colors = await reading;
    if (this.#colors === reading) this.#changed.fire(colors);
  }

  async #read(): Promise<CodeColors> {
    try {
      return codeColors(await activeThemeRules());
    } catch (failure) {
      this.#log.warn('The colors of the theme could not be read', failure);
      return {};
    }
  }
}

interface ThemeFile {
  /** Folder of the extension that contributes the theme. Nothing outside it is read. */
  readonly root: Uri;
  readonly path: string;
}

/**
 * Reads the token rules of the active theme, included files first. VS Code passes the workbench colors of a theme to
 * pages, but not its token colors. Returns none if the theme is not found or is not JSON.
 */
async function activeThemeRules(): Promise<readonly TokenRule[]> {
  const theme = activeThemeFile();
  return theme === undefined ? [] : readTheme(theme, MAX_INCLUDES);
}

function activeThemeFile(): ThemeFile | undefined {
  const { kind } = window.activeColorTheme;
  const [uiTheme, preferred] = THEME_KINDS[kind];
  const isDetected =
    (kind === ColorThemeKind.Light || kind === ColorThemeKind.Dark) &&
    workspace.getConfiguration('window').get('autoDetectColorScheme') === true;
  const workbench = workspace.getConfiguration('workbench');
  const names = isDetected ? [preferred, 'colorTheme'] : ['colorTheme', preferred];
  const themes = contributedThemes().filter((theme) => (theme.uiTheme ?? 'vs') === uiTheme);
  for (const name of names.map((setting) => workbench.get<string>(setting))) {
    // Settings may hold older names of the built-in themes.
    const isNamed = (other = ''): boolean => other === name || `Default ${other}` === name;
    const found = themes.find(({ id, label }) => isNamed(id) || isNamed(label));
    if (found !== undefined) return found;
  }
  return undefined;
}

type ContributedTheme = ThemeFile & v.InferOutput<typeof contributionSchema>;

function contributedThemes(): readonly ContributedTheme[] {
  return extensions.all.flatMap(({ extensionUri, packageJSON }) => {
    const manifest = v.safeParse(manifestSchema, packageJSON);
    const entries = manifest.success ? manifest.output.contributes.themes : [];
    return entries.flatMap((entry) => {
      const theme = v.safeParse(contributionSchema, entry);
      return theme.success ? [{ root: extensionUri, ...theme.output }] : [];
    });
  });
}

/** For each kind of theme: its name in manifests, and the setting for it. */
const THEME_KINDS: Readonly<Record<ColorThemeKind, readonly [uiTheme: string, preferred: string]>> =
  {
    [ColorThemeKind.Light]: ['vs', 'preferredLightColorTheme'],
    [ColorThemeKind.Dark]: ['vs-dark', 'preferredDarkColorTheme'],
    [ColorThemeKind.HighContrast]: ['hc-black', 'preferredHighContrastColorTheme'],
    [ColorThemeKind.HighContrastLight]: ['hc-light', 'preferredHighContrastLightColorTheme'],
  };

async function readTheme(
  { root, path }: ThemeFile,
  includesLeft: number,
): Promise<readonly TokenRule[]> {
  const inside = posix.join('/', path);
  if (includesLeft === 0 || !inside.endsWith('.json')) return [];
  const file = Uri.joinPath(root, inside);
  if ((await workspace.fs.stat(file)).size > MAX_THEME_BYTES) return [];
  const text = new TextDecoder().decode(await workspace.fs.readFile(file));
  const theme = v.safeParse(
    themeSchema,
    JSON.parse(stripJsonComments(text, { trailingCommas: true })),
  );
  if (!theme.success) return [];
  const { include, tokenColors } = theme.output;
  const base = include && { root, path: posix.join(posix.dirname(inside), include) };
  const inherited = base ? await readTheme(base, includesLeft - 1) : [];
  return [...inherited, ...readRules(tokenColors)];
}
