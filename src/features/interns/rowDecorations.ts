import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import { toFileName } from '../../platform/storage/layout.ts';

const ROW_SCHEME = 'interns';

type RowKind = 'intern' | 'conversation';

/** Returns the resource of a row, by which its decoration is looked up. It cannot be opened. */
export function resourceOf(kind: RowKind, id: string): vscode.Uri {
  return vscode.Uri.from({ scheme: ROW_SCHEME, path: `/${kind}/${toFileName(id)}` });
}

/** Decorates the rows of a view. */
export class RowDecorations extends DisposableBase implements vscode.FileDecorationProvider {
  readonly #kind: RowKind;
  readonly #changed = this.own(new Emitter<vscode.Uri[]>());
  /** Keyed by the text of the row's resource. */
  #decorations: ReadonlyMap<string, vscode.FileDecoration> = new Map();

  readonly onDidChangeFileDecorations = this.#changed.event;

  constructor(kind: RowKind) {
    super();
    this.#kind = kind;
    this.own(vscode.window.registerFileDecorationProvider(this));
  }

  /** Replaces all decorations, by the IDs of the rows. */
  update(rows: readonly (readonly [id: string, vscode.FileDecoration | undefined])[]): void {
    const before = this.#decorations;
    const now = new Map<string, vscode.FileDecoration>();
    for (const [id, decoration] of rows)
      if (decoration !== undefined) now.set(resourceOf(this.#kind, id).toString(), decoration);
    this.#decorations = now;
    const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
      (resource) => !isDeepStrictEqual(before.get(resource), now.get(resource)),
    );
    if (changed.length > 0)
      this.#changed.fire(changed.map((resource) => vscode.Uri.parse(resource)));
  }

  provideFileDecoration(resource: vscode.Uri): vscode.FileDecoration | undefined {
    return resource.scheme === ROW_SCHEME ? this.#decorations.get(resource.toString()) : undefined;
  }
}
