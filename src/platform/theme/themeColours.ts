import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { CodeColours } from '../../protocol/view.ts';
import type { Log } from '../log/log.ts';
import { activeThemeRules } from './activeTheme.ts';
import { codeColours } from './tokenColours.ts';

/** The colours of code in the editor's theme, read when they are first asked for and whenever the theme changes. */
export class ThemeColours implements Disposable {
  readonly #log: Pick<Log, 'warn'>;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<CodeColours>());
  #colours: Promise<CodeColours> | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log;
    this.#store.add(vscode.window.onDidChangeActiveColorTheme(() => void this.#reload()));
  }

  /** Empty where the theme's own cannot be had: the page has colours that suit every theme. */
  get(): Promise<CodeColours> {
    this.#colours ??= this.#read();
    return this.#colours;
  }

  dispose(): void {
    this.#store.dispose();
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
