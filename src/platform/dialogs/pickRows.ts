import * as vscode from 'vscode';
import { plainText } from './plainText.ts';
import type { PickRow, Refusal } from './prompts.ts';

/** A row as VS Code shows it, with what choosing it gives or does. */
export type Row<T> = vscode.QuickPickItem & {
  readonly value?: T;
  readonly run?: () => Promise<void>;
};

export function toItem<T>(row: PickRow<T>): Row<T> {
  if ('separator' in row)
    return { label: plainText(row.separator), kind: vscode.QuickPickItemKind.Separator };
  return {
    label: plainText('note' in row ? row.note : row.label),
    ...(row.description !== undefined && { description: plainText(row.description) }),
    ...(row.detail !== undefined && { detail: plainText(row.detail) }),
    ...(row.icon && { iconPath: row.icon }),
    ...('value' in row && { value: row.value }),
    ...('run' in row && { run: row.run }),
  };
}

/** Rows that say why a choice was refused. Choosing one does nothing: it has no value. */
export function noticeRows({ message, detail }: Refusal): Row<never>[] {
  return [
    {
      label: plainText(message),
      ...(detail !== undefined && { detail: plainText(detail) }),
      iconPath: new vscode.ThemeIcon('error'),
      alwaysShow: true,
    },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
  ];
}
