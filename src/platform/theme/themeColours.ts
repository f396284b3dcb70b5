import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { CodeColours } from '../../protocol/view.ts';
import type { Log } from '../log/log.ts';
import { activeThemeRules } from './activeTheme.ts';
import { codeColours } from './tokenColours.ts';

/** The colours of code in the editor's theme, read when they are first asked for and whenever the theme changes. */
export class ThemeColours extends DisposableBase {
  readonly #log: Pick<Log, 'warn'>;
  readonly #changed = this.own(new Emitter<CodeColours>());
  #colours: Promise<CodeColours> | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(log: Pick<Log, 'warn'>) {
    super();
    this.#log = log;
    this.own(vscode.window.onDidChangeActiveColorTheme(() => void this.#reload()));
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
      return codeColours(await activeThemeRules());
    } catch (failure) {
      this.#log.warn('The colours of the theme could not be read', failure);
      return {};
    }
  }
}
