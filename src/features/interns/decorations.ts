import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { toFileName } from '../../platform/storage/layout.ts';

const SCHEME = 'interns';

/** What marks a row. */
export type Mark = 'waiting' | 'failed';

/** The resource of a row, under which its decoration is looked up, whatever an id holds. It can be opened by nobody. */
export function resourceOf(kind: 'intern' | 'conversation', id: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${kind}/${toFileName(id)}` });
}

/** Marks interns and conversations that wait for an answer or have failed, by a badge and a colour. */
export class InternDecorations extends DisposableBase implements vscode.FileDecorationProvider {
  readonly #changed = this.own(new Emitter<vscode.Uri[]>());
  #marks: ReadonlyMap<string, Mark> = new Map();

  readonly onDidChangeFileDecorations = this.#changed.event;

  constructor() {
    super();
    this.own(vscode.window.registerFileDecorationProvider(this));
  }

  /** Replaces all marks, which are by {@link resourceOf} as text. */
  update(marks: ReadonlyMap<string, Mark>): void {
    const before = this.#marks;
    this.#marks = marks;
    const changed = [...new Set([...before.keys(), ...marks.keys()])].filter(
      (resource) => before.get(resource) !== marks.get(resource),
    );
    if (changed.length > 0)
      this.#changed.fire(changed.map((resource) => vscode.Uri.parse(resource)));
  }

  provideFileDecoration(resource: vscode.Uri): vscode.FileDecoration | undefined {
    if (resource.scheme !== SCHEME) return undefined;
    switch (this.#marks.get(resource.toString())) {
      case undefined:
        return undefined;
      case 'waiting':
        return new vscode.FileDecoration(
          '?',
          vscode.l10n.t('A question waits for you'),
          new vscode.ThemeColor('list.warningForeground'),
        );
      case 'failed':
        return new vscode.FileDecoration(
          '!',
          vscode.l10n.t('Failed'),
          new vscode.ThemeColor('list.errorForeground'),
        );
    }
  }
}
