import type { BoxButton, Dialogs, PickOptions, ValueRow } from './dialogs.ts';

export type TargetRow = ValueRow<string>;

type PickTexts = Pick<PickOptions<string>, 'title' | 'placeholder'>;

/** A button that closes a pick and does something else. */
export type PickButton = Omit<BoxButton, 'run'> & { readonly open: () => Promise<void> };

/** Returns the target that a command was called on, the only one, or the selected one; undefined if the user left. */
export async function pickTarget<T>(
  dialogs: Dialogs,
  calledOn: T | undefined,
  rowsOf: () => Promise<readonly ValueRow<T>[]>,
  texts: PickTexts,
  button?: PickButton,
): Promise<T | undefined> {
  if (calledOn !== undefined) return calledOn;
  const rows = await rowsOf();
  if (rows.length === 1) return rows[0]?.value;
  const buttons = button && [button];
  const picked = await dialogs.pick({ ...texts, rows, buttons });
  if (picked.kind === 'left' && picked.button !== undefined) await button?.open();
  return picked.kind === 'value' ? picked.value : undefined;
}

/** Returns several targets by the rules of {@link pickTarget}. @param none error if the user selects none */
export async function pickTargets(
  dialogs: Dialogs,
  calledOn: readonly string[],
  rowsOf: () => Promise<readonly TargetRow[]>,
  { none, ...texts }: PickTexts & { readonly none: string },
): Promise<readonly string[]> {
  if (calledOn.length > 0) return [...new Set(calledOn)];
  const rows = await rowsOf();
  if (rows.length === 1) return rows.map(({ value }) => value);
  const validate = (ids: readonly string[]) => (ids.length === 0 ? none : undefined);
  const picked = await dialogs.pickMany({ ...texts, rows, validate });
  return picked.kind === 'value' ? picked.value : [];
}
