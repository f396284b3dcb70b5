import * as vscode from 'vscode';

/** Sets members of a part of the fake `vscode`, such as `vscode.window`, until the test ends. */
export type StubEditor = (part: object, members: Readonly<Record<string, unknown>>) => void;

/** Returns a function that stubs the editor for each test of a suite. */
export function useStubs(): StubEditor {
  const undo: (() => void)[] = [];
  afterEach(() => {
    for (const restore of undo.splice(0).reverse()) restore();
  });
  return (part, members) => {
    const before = { ...part };
    Object.assign(part, members);
    undo.push(() => {
      for (const name of Object.keys(members)) Reflect.deleteProperty(part, name);
      Object.assign(part, before);
    });
  };
}

/** Replaces the comma between two facts, as the Japanese translation does. */
export function stubJapaneseComma(stub: StubEditor): void {
  const { t } = vscode.l10n;
  const translate = (message: string, ...given: readonly string[]) =>
    t(message === '{0}, {1}' ? '{0}、{1}' : message, ...given);
  stub(vscode.l10n, { t: translate });
}

/** Replaces the clipboard. */
export function stubClipboard(stub: StubEditor, text = ''): { text: string } {
  const clipboard = { text };
  const readText = () => Promise.resolve(clipboard.text);
  const writeText = (copied: string) => Promise.resolve(void (clipboard.text = copied));
  stub(vscode.env, { clipboard: { readText, writeText } });
  return clipboard;
}
