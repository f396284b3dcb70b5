import { posix } from 'node:path';
import stripJsonComments from 'strip-json-comments';
import * as v from 'valibot';
import { ColorThemeKind, extensions, Uri, window, workspace } from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { CodeColours } from '../../protocol/view.ts';
import type { Log } from '../log/log.ts';
import { codeColors, readRules, type TokenRule } from './tokenColors.ts';

/** Most bytes of one file of a theme: twenty times what the largest ones have. */
const mostBytes = 2 * 1_048_576;
/** How many files a theme may build upon each other. */
const longestChain = 8;

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

/** The colours of code in the editor's theme, read when they are first asked for and whenever the theme changes. */
export class ThemeColors extends DisposableBase {
  readonly #log: Pick<Log, 'warn'>;
  readonly #changed = this.own(new Emitter<CodeColours>());
  #colours: Promise<CodeColours> | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(log: Pick<Log, 'warn'>) {
    super();
    this.#log = log;
    this.own(window.onDidChangeActiveColorTheme(() => void this.#reload()));
  }

  /** Empty where the theme's own cannot be had: the page has colours that suit every theme. */
  get(): Promise<CodeColours> {
    this.#colours ??= this.#read();
    return this.#colours;
  }

  async #reload(): Promise<void> {
    if (this.#colours === undefined) return;
    const reading = this.#read();
    this.#colours = reading;
    const colours = await reading;
    if (this.#colours === reading) this.#changed.fire(colours);
  }

  async #read(): Promise<CodeColours> {
    try {
      return codeColors(await activeThemeRules());
    } catch (failure) {
      this.#log.warn('The colours of the theme could not be read', failure);
      return {};
    }
  }
}

interface ThemeFile {
  /** The folder of the extension that the theme is of: nothing outside of it is read. */
  readonly root: Uri;
  readonly path: string;
}

/**
 * The rules for tokens of the editor's colour theme, those of the files that it builds upon first. VS Code tells pages
 * the theme's colours of the workbench and not these, so they are read from the extension that brings the theme.
 *
 * @returns none where the theme is not found, or is written otherwise (as a TextMate property list).
 */
async function activeThemeRules(): Promise<readonly TokenRule[]> {
  const theme = activeThemeFile();
  return theme === undefined ? [] : readTheme(theme, longestChain);
}

/** The theme that the settings name for the kind of theme that is shown; settings may keep names of old. */
function activeThemeFile(): ThemeFile | undefined {
  const { kind } = window.activeColorTheme;
  const [uiTheme, preferred] = kinds[kind];
  const isDetected =
    (kind === ColorThemeKind.Light || kind === ColorThemeKind.Dark) &&
    workspace.getConfiguration('window').get('autoDetectColorScheme') === true;
  const workbench = workspace.getConfiguration('workbench');
  const names = isDetected ? [preferred, 'colorTheme'] : ['colorTheme', preferred];
  const themes = contributedThemes().filter((theme) => (theme.uiTheme ?? 'vs') === uiTheme);
  for (const name of names.map((setting) => workbench.get<string>(setting))) {
    const isCalled = (other = ''): boolean => other === name || `Default ${other}` === name;
    const found = themes.find(({ id, label }) => isCalled(id) || isCalled(label));
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

/** Of each kind of theme: its name in manifests, and the setting of its own. */
const kinds: Readonly<Record<ColorThemeKind, readonly [uiTheme: string, preferred: string]>> = {
  [ColorThemeKind.Light]: ['vs', 'preferredLightColorTheme'],
  [ColorThemeKind.Dark]: ['vs-dark', 'preferredDarkColorTheme'],
  [ColorThemeKind.HighContrast]: ['hc-black', 'preferredHighContrastColorTheme'],
  [ColorThemeKind.HighContrastLight]: ['hc-light', 'preferredHighContrastLightColorTheme'],
};

async function readTheme({ root, path }: ThemeFile, most: number): Promise<readonly TokenRule[]> {
  const within = posix.join('/', path);
  if (most === 0 || !within.endsWith('.json')) return [];
  const file = Uri.joinPath(root, within);
  if ((await workspace.fs.stat(file)).size > mostBytes) return [];
  const text = new TextDecoder().decode(await workspace.fs.readFile(file));
  const theme = v.safeParse(
    themeSchema,
    JSON.parse(stripJsonComments(text, { trailingCommas: true })),
  );
  if (!theme.success) return [];
  const { include, tokenColors } = theme.output;
  const base = include && { root, path: posix.join(posix.dirname(within), include) };
  const inherited = base ? await readTheme(base, most - 1) : [];
  return [...inherited, ...readRules(tokenColors)];
}
