/** The part of a patch that is about one file. */
export interface ChangedFile {
  /** As the patch has it: Git puts unusual names in quotes. */
  readonly path: string;
  readonly text: string;
}

/** The files of a patch that Git made, in their order; a binary file or a rename is one with a header alone. */
export function splitPatch(patch: string): readonly ChangedFile[] {
  const starts = [...patch.matchAll(/^diff --(?:git|cc|combined) /gmu)].map(({ index }) => index);
  return starts.map((start, index) => {
    const text = patch.slice(start, starts[index + 1]);
    return { path: pathOf(text), text };
  });
}

/** The path after the change; before it where the file is deleted. */
function pathOf(text: string): string {
  const end = text.search(/^@@/mu);
  const header = end === -1 ? text : text.slice(0, end);
  const [first = ''] = header.split('\n', 1);
  const named =
    /^(?:\+\+\+ (?:b\/)?|rename to )(?!\/dev\/null)(.+)$/mu.exec(header) ??
    /^--- (?:a\/)?(?!\/dev\/null)(.+)$/mu.exec(header) ??
    // Of a binary file, or one whose mode alone is another, the path is there twice.
    /^diff --git (?:a\/)?(.+) (?:b\/)?\1$/u.exec(first);
  return named?.[1]?.trimEnd() ?? first;
}
