import type { ValueSource } from './valueSources.ts';

/** What the dialog that stores a secret gathers. It lives as long as the dialog, and so does the value. */
export interface SecretValues {
  readonly name: string;
  /** As typed: separated by commas or white space. */
  readonly hosts: string;
  readonly source: ValueSource | undefined;
  readonly value: string;
}
