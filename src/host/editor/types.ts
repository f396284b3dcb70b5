/** What code blocks and links of a reply do in the editor. None of it rejects for what the user can see and mend. */
export interface ReplyActions {
  /** Replaces the selections of the text editor that was last active; says so where there is none. */
  insertAtCursor(code: string): Promise<void>;
  /** Opens an untitled document. `language` is a Markdown info string's first word, or empty. */
  newFile(code: string, language: string): Promise<void>;
  /** Shows a unified diff in the diff editor, one tab for all its files. */
  openDiff(diff: string): Promise<void>;
  copy(text: string): Promise<void>;
  /** Opens a web or mail address with the address in view, or a file inside the workspace at its line; refuses all else. */
  openLink(href: string): Promise<void>;
  /** Those of the paths, perhaps with a line each, that are files of the workspace. */
  locate(paths: readonly string[]): Promise<readonly string[]>;
}
