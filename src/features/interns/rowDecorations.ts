import * as vscode from 'vscode';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import { toFileName } from '../../platform/storage/layout.ts';

const ROW_SCHEME = 'interns';

/** Returns the resource of a row, by which its decoration is looked up. It cannot be opened. */
export function resourceOf(kind: 'intern' | 'conversation', id: string): vscode.Uri {
  return vscode.Uri.from({ scheme: ROW_SCHEME, path: `/${kind}/${toFileName(id)}` });
}

/** Decorates the rows of a view by the text of their resource. */
export class RowDecorations<M> extends DisposableBase implements vscode.FileDecorationProvider {
  readonly #changed = this.own(new Emitter<vscode.Uri[]>());
  readonly #decorate: (mark: M) => vscode.FileDecoration;
  #marks: ReadonlyMap<string, M> = new Map();

  readonly onDidChangeFileDecorations = this.#changed.event;

  constructor(decorate: (mark: M) => vscode.FileDecoration) {
    super();
    this.#decorate = decorate;
    this.own(vscode.window.registerFileDecorationProvider(this));
  }

  /** Replaces all marks. Their keys are the texts of the rows' resources. */
  update(marks: ReadonlyMap<string, M>): void {
    const before = this.#marks;
    this.#marks = marks;
    const changed = [...new Set([...before.keys(), ...marks.keys()])].filter(
      (resource) => before.get(resource) !== marks.get(resource),
    );
    if (changed.length > 0)
      this.#changed.fire(changed.map((resource) => vscode.Uri.parse(resource)));
  }

  provideFileDecoration(resource: vscode.Uri): vscode.FileDecoration | undefined {
    const mark = resource.scheme === ROW_SCHEME ? this.#marks.get(resource.toString()) : undefined;
    return mark === undefined ? undefined : this.#decorate(mark);
  }
}
