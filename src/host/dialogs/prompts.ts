/** What dialogs ask of a user, as a port: boxes.ts answers it with VS Code's own quick inputs. */
import type { ThemeIcon } from 'vscode';
import type { Refusal, StepPlace, StepResult } from './flow.ts';

/**
 * Asks the service (or any slow judge) whether a value may stand, while the box shows that it is busy.
 *
 * Gives nothing where it may, else why not: shown with the value kept. `signal` is aborted when the user goes back or
 * leaves; work that should finish all the same may ignore it, its outcome is then the caller's to tell.
 */
export type Submit<T> = (value: T, signal: AbortSignal) => Promise<Refusal | undefined>;

/** What every step may say. */
interface BoxOptions<T> {
  readonly title: string;
  readonly placeholder?: string;
  /** Left out for a dialog of one step. */
  readonly place?: StepPlace;
  readonly submit?: Submit<T>;
}

export interface InputOptions extends BoxOptions<string> {
  readonly prompt: string;
  /** What stands in the box at first. */
  readonly value?: string;
  /** Masks what is typed. */
  readonly password?: boolean;
  /**
   * One plain sentence for a value that cannot stand, nothing for one that can. Called as the user types; Enter with
   * an invalid value keeps the box and shows the sentence.
   */
  readonly validate?: (value: string) => string | undefined;
  /** Called with everything that is typed, for a preview elsewhere. */
  readonly onChange?: (value: string) => void;
  /** A remark on a value that can stand. */
  readonly remark?: (value: string) => string | undefined;
}

/** A row of a quick pick; one that only says something and cannot be chosen; or a line between rows. */
export type PickRow<T> =
  | {
      readonly label: string;
      readonly description?: string;
      readonly detail?: string;
      readonly icon?: ThemeIcon;
      readonly value: T;
    }
  | {
      readonly note: string;
      readonly description?: string;
      readonly detail?: string;
      readonly icon?: ThemeIcon;
    }
  | { readonly separator: string };

interface PickOptionsBase<T> {
  readonly rows: readonly PickRow<T>[];
  /** Matches what is typed against descriptions and details too. */
  readonly matchAll?: boolean;
}

export interface PickOptions<T> extends BoxOptions<T>, PickOptionsBase<T> {
  /** The value whose row is active at first; the first row where left out. */
  readonly active?: T;
}

export interface PickManyOptions<T> extends BoxOptions<readonly T[]>, PickOptionsBase<T> {
  /** The values whose rows are ticked at first. */
  readonly selected?: readonly T[];
  /** One plain sentence for a selection that cannot stand. */
  readonly validate?: (values: readonly T[]) => string | undefined;
}

/** The dialogs' way to a user: a port, so that tests can answer in a user's place. */
export interface Prompts {
  input(options: InputOptions): Promise<StepResult<string>>;
  pick<T>(options: PickOptions<T>): Promise<StepResult<T>>;
  pickMany<T>(options: PickManyOptions<T>): Promise<StepResult<readonly T[]>>;
}
