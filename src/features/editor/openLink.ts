import * as vscode from 'vscode';
import { parseLink, type FileLink, type LinkPosition } from '../../base/links.ts';
import { confirm } from '../../platform/dialogs/confirm.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { LastTextEditor } from './lastTextEditor.ts';
import { findInWorkspace } from './workspaceFiles.ts';

/** What became of a link. */
type LinkOutcome =
  | { readonly kind: 'opened' }
  /** The user, or VS Code in the user's name, chose not to go there. */
  | { readonly kind: 'left' }
  | { readonly kind: 'refused'; readonly scheme: string }
  | { readonly kind: 'not-in-workspace'; readonly path: string };

/**
 * Opens a link of a reply.
 *
 * A web address goes to VS Code as text, since its question about untrusted domains shows all of an address only then.
 * A domain that the user has told VS Code to trust opens at once: that is what they asked for. What VS Code never asks
 * about, a mail address and a server on this machine, is asked about here.
 *
 * @param lastEditor Files open beside it.
 */
export async function openLink(href: string, lastEditor: LastTextEditor): Promise<LinkOutcome> {
  const link = parseLink(href);
  switch (link.kind) {
    case 'web':
      if (link.isTrusted) return openAfterQuestion(link.url);
      await vscode.commands.executeCommand('vscode.open', link.url);
      return { kind: 'opened' };
    case 'mail':
      return openAfterQuestion(link.url);
    case 'file':
      return openFile(link, lastEditor);
    case 'refused':
      return link;
  }
}

/** Whether a path, perhaps with a line, is that of a file of the workspace. */
export async function leadsToFile(href: string): Promise<boolean> {
  const link = parseLink(href);
  if (link.kind !== 'file' || link.authority !== '') return false;
  return (await findInWorkspace(link.path))?.isFolder === false;
}

async function openAfterQuestion(url: string): Promise<LinkOutcome> {
  const question = vscode.l10n.t('Open this address?');
  if (!(await confirm(question, url, vscode.l10n.t('Open'), 'information')))
    return { kind: 'left' };
  // Not as text: only so does a remote window forward the port of a server that runs beside it.
  const isOpened = await vscode.env.openExternal(vscode.Uri.parse(url, true));
  return { kind: isOpened ? 'opened' : 'left' };
}

async function openFile(
  { path, authority, position }: FileLink,
  lastEditor: LastTextEditor,
): Promise<LinkOutcome> {
  const found = await findInWorkspace(path, authority);
  if (found === undefined) return { kind: 'not-in-workspace', path: plainLine(path, 120) };
  if (found.isFolder) {
    await vscode.commands.executeCommand('revealInExplorer', found.uri);
  } else {
    const selection = position && { selection: selectionOf(position) };
    const options = { ...lastEditor.columnOptions, ...selection };
    lastEditor.markShownByPage(found.uri);
    await vscode.commands.executeCommand('vscode.open', found.uri, options);
  }
  return { kind: 'opened' };
}

/** The cursor at a place, or the lines of a range. */
function selectionOf({ line, column, endLine }: LinkPosition): vscode.Range {
  const start = new vscode.Position(line - 1, column - 1);
  return endLine > line
    ? new vscode.Range(start, new vscode.Position(endLine, 0))
    : new vscode.Range(start, start);
}
