import { randomUUID } from 'node:crypto';
import { commands, env, window } from 'vscode';
import type { ContextItem } from '../../conversation/attachments.ts';

/** VS Code's own Copy Selection of the active terminal. Reading the selection itself is no stable API. */
const copyCommand = 'workbench.action.terminal.copySelection';

/**
 * What is selected in the active terminal, by way of the clipboard, whose text is put back.
 *
 * @param label Names the item, given the terminal's name.
 * @returns undefined where nothing is selected.
 */
export async function selectedInTerminal(
  label: (terminal: string) => string,
): Promise<ContextItem | undefined> {
  const terminal = window.activeTerminal;
  if (terminal === undefined) return undefined;
  const text = await copied(() => commands.executeCommand(copyCommand));
  if (text === undefined || text.trim() === '') return undefined;
  return { source: terminal.name, label: label(terminal.name), language: 'console', text };
}

/** The text that `copy` puts on the clipboard; undefined where it puts none. */
async function copied(copy: () => Thenable<unknown>): Promise<string | undefined> {
  const { clipboard } = env;
  const before = await clipboard.readText();
  // Tells a copy of the very text that is on the clipboard already from no copy.
  const mark: string = randomUUID();
  await clipboard.writeText(mark);
  let after = mark;
  try {
    await copy();
    after = await clipboard.readText();
  } finally {
    // What somebody else has put there meanwhile is theirs.
    if ((await clipboard.readText()) === after) await clipboard.writeText(before);
  }
  return after === mark ? undefined : after;
}
