import * as vscode from 'vscode';
import { eventually } from '../../harness/until.ts';

type Box = vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox;

/** A message that VS Code was asked to show. */
interface ShownMessage {
  readonly kind: 'error' | 'warning' | 'information';
  readonly text: string;
  readonly buttons: readonly string[];
  /** Presses a button; undefined closes it. */
  readonly press: (title?: string) => void;
}

/** A notification that stays until its progress ends. */
export interface ShownProgress {
  /** All texts, each of which was announced. */
  readonly texts: string[];
  isOpen: boolean;
}

const ACCEPT = 'workbench.action.acceptSelectedQuickOpenItem';
const NEXT = 'workbench.action.quickOpenSelectNext';
const CLOSE = 'workbench.action.closeQuickOpen';
const FOCUS = 'workbench.action.focusQuickOpen';
const BACK = 'workbench.action.quickInputBack';

/**
 * Records what the extension shows. Quick inputs are shown by VS Code and driven by its commands. Messages are only
 * recorded, because no command can press their buttons.
 */
export class Screen {
  /** The quick inputs that were opened, oldest first. */
  readonly boxes: Box[] = [];
  readonly messages: ShownMessage[] = [];
  readonly progress: ShownProgress[] = [];
  readonly statusItems: vscode.StatusBarItem[] = [];
  readonly #restores: (() => void)[] = [];
  readonly #pressed = new Map<Box, (button: vscode.QuickInputButton) => void>();
  #open: Box | undefined;

  constructor() {
    const { createQuickPick, createInputBox, createStatusBarItem } = vscode.window;
    this.#replace('createQuickPick', () => this.#watch(createQuickPick()));
    this.#replace('createInputBox', () => this.#watch(createInputBox()));
    this.#replace('createStatusBarItem', (id: string, alignment: vscode.StatusBarAlignment) => {
      const item = createStatusBarItem(id, alignment);
      this.statusItems.push(item);
      return item;
    });
    for (const kind of ['Error', 'Warning', 'Information'] as const)
      this.#replace(`show${kind}Message`, (text: string, ...buttons: vscode.MessageItem[]) =>
        this.#message(kind, text, buttons),
      );
    this.#replace(
      'withProgress',
      (_: unknown, task: Parameters<typeof vscode.window.withProgress>[1]) =>
        this.#showProgress(task),
    );
  }

  /** The open quick input. */
  get box(): Box | undefined {
    return this.#open;
  }

  /** The title, the prompt or placeholder, and the validation message of the open quick input. */
  get words(): string {
    const box = this.#open;
    if (box === undefined) return '';
    const ofInput = 'prompt' in box ? [box.prompt, box.validationMessage] : [];
    return [box.title, box.placeholder, ...ofInput].map(String).join('\n');
  }

  get labels(): readonly string[] {
    return this.#pick.items.map(({ label }) => label);
  }

  /** The label, description and detail of each row. */
  get rows(): readonly string[] {
    return this.#pick.items.map(({ label, description, detail }) =>
      [label, description, detail].filter(Boolean).join(' '),
    );
  }

  /** Such as `2/3`; empty if there are no steps. */
  get step(): string {
    const { step, totalSteps } = this.#open ?? {};
    return step === undefined ? '' : `${step}/${String(totalSteps)}`;
  }

  get value(): string {
    return this.#open?.value ?? '';
  }

  /** Waits for a quick input with these words, and focuses it. */
  async waitFor(words: RegExp): Promise<void> {
    await eventually(() => words.test(this.words));
    await run(FOCUS);
    await settle();
  }

  async waitForClosed(): Promise<void> {
    await eventually(() => this.#open === undefined);
    await settle();
  }

  /** Moves to a row with the arrow keys, and presses Enter. */
  async choose(label: string): Promise<void> {
    const at = this.labels.indexOf(label);
    if (at < 0) throw new Error(`No row ${label} among ${this.labels.join(', ')}`);
    const pick = this.#pick;
    for (let steps = 0; pick.activeItems[0]?.label !== label; steps += 1) {
      if (steps > pick.items.length) throw new Error(`The row ${label} cannot be reached`);
      await run(NEXT);
      await settle();
    }
    await this.enter();
  }

  write(text: string): void {
    if (this.#open === undefined) throw new Error('No box is open');
    this.#open.value = text;
  }

  async enter(): Promise<void> {
    await settle();
    await run(ACCEPT);
    await settle();
  }

  /** Enters a text in the open box. */
  async submit(text: string): Promise<void> {
    this.write(text);
    await this.enter();
  }

  async escape(): Promise<void> {
    await run(CLOSE);
    await settle();
  }

  async back(): Promise<void> {
    await run(BACK);
    await settle();
  }

  /** The names of the buttons in the title bar. */
  get buttons(): readonly string[] {
    return (this.#open?.buttons ?? []).map(({ tooltip }) => tooltip ?? '');
  }

  /** Presses a button of the title bar, for which there is no command. */
  async press(name: string): Promise<void> {
    const box = this.#open;
    const button = box?.buttons.find(({ tooltip }) => tooltip === name);
    if (box === undefined || button === undefined) throw new Error(`There is no button ${name}`);
    this.#pressed.get(box)?.(button);
    await settle();
  }

  /** Restores VS Code's functions and closes the open quick input. */
  async dispose(): Promise<void> {
    for (const restore of this.#restores.splice(0)) restore();
    await run(CLOSE);
  }

  get #pick(): vscode.QuickPick<vscode.QuickPickItem> {
    if (this.#open === undefined || !('items' in this.#open)) throw new Error('No quick pick');
    return this.#open;
  }

  #watch<B extends Box>(box: B): B {
    this.boxes.push(box);
    const show = box.show.bind(box);
    box.show = () => {
      this.#open = box;
      show();
    };
    const { onDidTriggerButton } = box;
    Object.assign(box, {
      onDidTriggerButton: (listener: (button: vscode.QuickInputButton) => void) => {
        this.#pressed.set(box, listener);
        return onDidTriggerButton(listener);
      },
    });
    const dispose = box.dispose.bind(box);
    const gone = () => {
      if (this.#open === box) this.#open = undefined;
    };
    box.onDidHide(gone);
    box.dispose = () => {
      gone();
      dispose();
    };
    return box;
  }

  #message(
    kind: string,
    text: string,
    items: readonly (vscode.MessageItem | string)[],
  ): Promise<unknown> {
    const titles = items.map((item) => (typeof item === 'string' ? item : item.title));
    return new Promise((resolve) => {
      this.messages.push({
        kind: kind.toLowerCase() as ShownMessage['kind'],
        text,
        buttons: titles,
        press: (title) => resolve(title === undefined ? title : items[titles.indexOf(title)]),
      });
    });
  }

  async #showProgress(task: Parameters<typeof vscode.window.withProgress>[1]): Promise<unknown> {
    const shown: ShownProgress = { texts: [], isOpen: true };
    this.progress.push(shown);
    const report = ({ message }: { message?: string }) => {
      if (message !== undefined) shown.texts.push(message);
    };
    const source = new vscode.CancellationTokenSource();
    try {
      return await task({ report }, source.token);
    } finally {
      shown.isOpen = false;
      source.dispose();
    }
  }

  #replace(name: keyof typeof vscode.window, standIn: unknown): void {
    const owner = vscode.window as unknown as Record<string, unknown>;
    const original = owner[name];
    owner[name] = standIn;
    this.#restores.push(() => (owner[name] = original));
  }
}

const run = (command: string) => vscode.commands.executeCommand(command);

/** Waits for the window's earlier events: they arrive in order, so two round trips are enough. */
export async function settle(): Promise<void> {
  for (let trip = 0; trip < 2; trip += 1)
    await vscode.commands.executeCommand('setContext', 'interns.tests.trip', trip);
}
