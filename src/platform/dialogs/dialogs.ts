import type { ThemeIcon } from 'vscode';

/** Why a dialog did not accept a value. The value is kept. */
export interface Refusal {
  /** One plain sentence. */
  readonly message: string;
  /** More to know, such as possible causes. */
  readonly detail?: string;
  /** ID of the step that can fix it; default the current one. */
  readonly step?: string;
}

/** The result of one box or step. `draft` is the content of the box, kept for when the step is shown again. */
export type StepResult<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'back'; readonly draft?: T }
  /** Goes to another step, which shows the refusal. */
  | {
      readonly kind: 'jump';
      readonly step: string;
      readonly refusal?: Refusal | undefined;
      readonly draft?: T;
    }
  /** The user left by one of the box's buttons; without one by Escape, another quick input, or the signal. */
  | { readonly kind: 'left'; readonly button?: string; readonly draft?: T };

/** The position of a box among the steps of its dialog. */
interface StepPosition {
  /** 1 for the first. */
  readonly step: number;
  readonly totalSteps: number;
  readonly canGoBack: boolean;
  /** Shown at once: why the dialog came back to this step. */
  readonly refusal?: Refusal | undefined;
}

/**
 * Checks a value, for example with the service, while the box shows that it is busy. Returns why the value is refused,
 * if it is. `signal` is aborted when the user goes back or leaves; work that should finish may ignore it.
 */
export type Submit<T> = (value: T, signal: AbortSignal) => Promise<Refusal | undefined>;

/** A text, or a function that returns it whenever the box is drawn. */
export type BoxText = string | (() => string);

/** A button of a box or row. It closes the box (`left`, with its ID), or runs something and leaves the box open. */
export interface BoxButton {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly run?: () => unknown;
}

export interface BoxOptions<T> {
  readonly title: BoxText;
  /** Shown under the box. VS Code 1.100 has no such line in quick picks: there it comes before the placeholder. */
  readonly prompt?: BoxText | undefined;
  readonly placeholder?: BoxText | undefined;
  /** Absent for a dialog of one step. */
  readonly position?: StepPosition | undefined;
  /** Closes the box as if the user had left. */
  readonly signal?: AbortSignal | undefined;
  readonly buttons?: readonly BoxButton[] | undefined;
  /** Returns the ms until a countdown ends, during which the texts are drawn again. */
  readonly timeLeftMs?: (() => number) | undefined;
  readonly submit?: Submit<T> | undefined;
}

export interface InputOptions extends BoxOptions<string> {
  readonly value?: string | undefined;
  readonly password?: boolean | undefined;
  /** Returns one plain sentence for an invalid value, on each change. Enter then keeps the box open. */
  readonly validate?: ((value: string) => string | undefined) | undefined;
  readonly remark?: ((value: string) => string | undefined) | undefined;
  /** Returns why a valid value may be refused. Shown before the remark. */
  readonly warning?: ((value: string) => string | undefined) | undefined;
}

interface RowTexts {
  readonly label: string;
  readonly description?: string | undefined;
  readonly detail?: string | undefined;
  /** The ID of a codicon, or an icon with a color. */
  readonly icon?: string | ThemeIcon | undefined;
  /** Shown at the end of the row. */
  readonly button?: BoxButton | undefined;
}

export type ValueRow<T> = RowTexts & { readonly value: T };

/** A row with a value, a row that runs something and leaves the pick open, a note, or a separator. */
export type PickRow<T> =
  | ValueRow<T>
  /** Rows that a function returns are drawn again after it. Never rejects. */
  | (RowTexts & { readonly run: () => Promise<void> })
  | (Omit<RowTexts, 'label'> & { readonly note: string })
  | { readonly separator: string };

/** Finds the rows for a text. `signal` is aborted when the text changes. */
export type Search<T> = (query: string, signal: AbortSignal) => Promise<readonly PickRow<T>[]>;

export interface PickOptions<T> extends BoxOptions<T> {
  /** A function if they change while the pick is open. */
  readonly rows: readonly PickRow<T>[] | (() => readonly PickRow<T>[]);
  /** Value of the row that is active at first; default the first row. */
  readonly active?: T | undefined;
  /** Set for rows that consent to something: a key that was meant for the editor must not choose one. */
  readonly guard?: boolean | undefined;
  readonly search?: Search<T> | undefined;
}

export interface PickManyOptions<T> extends BoxOptions<readonly T[]> {
  readonly rows: readonly PickRow<T>[];
  /** Values of the rows that are checked at first. */
  readonly selected?: readonly T[] | undefined;
  readonly validate?: ((values: readonly T[]) => string | undefined) | undefined;
}

/** Shows dialogs. Tests implement it with the answers of a user. */
export interface Dialogs {
  input(options: InputOptions): Promise<StepResult<string>>;
  pick<T>(options: PickOptions<T>): Promise<StepResult<T>>;
  pickMany<T>(options: PickManyOptions<T>): Promise<StepResult<readonly T[]>>;
}
