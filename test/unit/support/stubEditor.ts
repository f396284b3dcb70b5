/** Puts members into a part of the stand-in for `vscode`, such as `vscode.window`, until the test is over. */
export type StubEditor = (part: object, members: Readonly<Record<string, unknown>>) => void;

/** For one suite: what its tests need of the editor, taken away again after each. */
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
