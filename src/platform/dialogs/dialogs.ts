/** What dialogs ask of a user, as a port: quickInputs.ts answers it with VS Code's own quick inputs. */
import type { ThemeIcon } from 'vscode';

/** Why the values of a dialog were not taken, in words for its user; the values are kept. */
export interface Refusal {
  /** One plain sentence. */
  readonly message: string;
  /** More to know, such as the causes that are possible. */
  readonly detail?: string;
  /** Id of the step that can mend it; the one that was shown where left out. */
  readonly step?: string;
}

/** What became of one box, or one step. `draft` is what stood in the box, kept for when the step is shown again. */
export type StepResult<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'back'; readonly draft?: T }
  /** Another step is asked next; it says why, where there is a refusal. */
  | {
      readonly kind: 'jump';
      readonly step: string;
      readonly refusal?: Refusal | undefined;
      readonly draft?: T;
    }
  /** The user left by one of the box's buttons; else by Escape, for another quick input, or because of the signal. */
  | { readonly kind: 'left'; readonly button?: string; readonly draft?: T };

/** Where a box stands among the steps of its dialog. */
interface StepPosition {
  /** 1 for the first. */
  readonly step: number;
  readonly totalSteps: number;
  readonly canGoBack: boolean;
  /** Shown from the start: why the dialog came back to this step. */
  readonly refusal?: Refusal | undefined;
}

/**
 * Asks the service (or any slow judge) whether a value may stand, while the box shows that it is busy.
 *
 * Gives nothing where it may, else why not: shown with the value kept. `signal` is aborted when the user goes back or
 * leaves; work that should finish all the same may ignore it, its outcome is then the caller's to tell.
 */
export type Submit<T> = (value: T, signal: AbortSignal) => Promise<Refusal | undefined>;

/** A text of a box, or what gives it whenever the box is drawn. */
export type BoxText = string | (() => string);

/** The texts around what is entered. */
export interface BoxTexts {
  readonly title: BoxText;
  /** Shown under the box; in a quick pick of a VS Code that knows no such place, in the box, before the placeholder. */
  readonly prompt?: BoxText | undefined;
  readonly placeholder?: BoxText | undefined;
}

/** A button of a box or a row: it closes the box (`left`, with its id), or runs something and leaves the box open. */
export interface BoxButton {
  readonly id: string;
  readonly label: string;
  /** Name of a codicon. */
  readonly icon: string;
  readonly run?: () => unknown;
}

/** What every box may have. */
interface BoxOptions<T> extends BoxTexts {
  /** Left out for a dialog of one step. */
  readonly position?: StepPosition | undefined;
  /** Closes the box as if its user had left. */
  readonly signal?: AbortSignal | undefined;
  readonly buttons?: readonly BoxButton[] | undefined;
  /** Milliseconds until a countdown runs out: the texts are drawn anew as it goes on. */
  readonly timeLeft?: (() => number) | undefined;
  readonly submit?: Submit<T> | undefined;
}

export interface InputOptions extends BoxOptions<string> {
  /** What stands in the box at first. */
  readonly value?: string | undefined;
  /** Masks what is typed. */
  readonly password?: boolean | undefined;
  /**
   * One plain sentence for a value that cannot stand, nothing for one that can. Called as the user types; Enter with
   * an invalid value keeps the box and shows the sentence.
   */
  readonly validate?: ((value: string) => string | undefined) | undefined;
  /** A remark on a value that can stand. */
  readonly remark?: ((value: string) => string | undefined) | undefined;
  /** Why a value that can stand may be refused all the same; shown before the remark. */
  readonly warning?: ((value: string) => string | undefined) | undefined;
}

interface RowTexts {
  readonly label: string;
  readonly description?: string | undefined;
  readonly detail?: string | undefined;
  readonly icon?: ThemeIcon | undefined;
  /** Shown at the end of the row. */
  readonly button?: BoxButton | undefined;
}

/**
 * A row of a quick pick; one that does something and leaves the pick open; one that only says something and cannot be
 * chosen; or a line between rows.
 */
export type PickRow<T> =
  | (RowTexts & { readonly value: T })
  /** The rows are drawn anew after it. Never rejects. */
  | (RowTexts & { readonly run: () => Promise<void> })
  | (Omit<RowTexts, 'label'> & { readonly note: string })
  | { readonly separator: string };

/** Finds the rows for what was typed; `signal` says that more was typed since. */
export type Search<T> = (query: string, signal: AbortSignal) => Promise<readonly PickRow<T>[]>;

export interface PickOptions<T> extends BoxOptions<T> {
  /** A function where they change while the pick is open. */
  readonly rows: readonly PickRow<T>[] | (() => readonly PickRow<T>[]);
  /** Matches what is typed against descriptions and details too. */
  readonly matchAll?: boolean | undefined;
  /** The value whose row is active at first; the first row where left out. */
  readonly active?: T | undefined;
  /** For rows that consent to something: no keystroke that was meant for elsewhere may choose one (quickInputs.ts). */
  readonly guard?: boolean | undefined;
  /** In place of VS Code's own filter. */
  readonly search?: Search<T> | undefined;
}

export interface PickManyOptions<T> extends BoxOptions<readonly T[]> {
  readonly rows: readonly PickRow<T>[];
  readonly matchAll?: boolean | undefined;
  /** The values whose rows are ticked at first. */
  readonly selected?: readonly T[] | undefined;
  /** One plain sentence for a selection that cannot stand. */
  readonly validate?: ((values: readonly T[]) => string | undefined) | undefined;
}

/** The dialogs' way to a user: a port, so that tests can answer in a user's place. */
export interface Dialogs {
  input(options: InputOptions): Promise<StepResult<string>>;
  pick<T>(options: PickOptions<T>): Promise<StepResult<T>>;
  pickMany<T>(options: PickManyOptions<T>): Promise<StepResult<readonly T[]>>;
}
