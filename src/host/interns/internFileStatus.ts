import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { Log } from '../log/log.ts';

/** What is said of a `.intern.json` file. */
export interface InternFileSaying {
  readonly text: string;
  readonly detail: string;
  /** Whether the file describes an intern. */
  readonly isSound: boolean;
}

/** What the status is made from. */
export interface InternFileStatusPorts {
  readonly selector: vscode.DocumentSelector;
  readonly say: (document: vscode.TextDocument) => Promise<InternFileSaying>;
  /** Something that is said may be another. */
  readonly onDidChange: Event<unknown>;
  readonly log: Pick<Log, 'warn'>;
}

/** The language status of the `.intern.json` file in the active editor: there also where code lenses are switched off. */
export class InternFileStatus implements Disposable {
  readonly #ports: InternFileStatusPorts;
  readonly #store = new DisposableStore();
  readonly #item: vscode.LanguageStatusItem;
  /** Counts the updates: of two under way, the later one holds. */
  #latest = 0;

  constructor(ports: InternFileStatusPorts) {
    this.#ports = ports;
    this.#item = this.#store.add(
      vscode.languages.createLanguageStatusItem('interns.file', ports.selector),
    );
    this.#item.name = vscode.l10n.t('Intern');
    const update = (): void => {
      this.#update().catch((failure: unknown) => {
        ports.log.warn('Could not tell what is known of the intern of a file', failure);
      });
    };
    this.#store.add(vscode.window.onDidChangeActiveTextEditor(update));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === vscode.window.activeTextEditor?.document) update();
      }),
    );
    this.#store.add(ports.onDidChange(update));
    update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #update(): Promise<void> {
    const update = (this.#latest += 1);
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined || vscode.languages.match(this.#ports.selector, document) === 0)
      return;
    const { text, detail, isSound } = await this.#ports.say(document);
    if (update !== this.#latest) return;
    this.#item.text = text;
    this.#item.detail = detail;
    this.#item.severity = isSound
      ? vscode.LanguageStatusSeverity.Information
      : vscode.LanguageStatusSeverity.Warning;
  }
}
