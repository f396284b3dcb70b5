import { commands, env, l10n, Position, Range, Uri } from 'vscode';
import { parseLink, type FileLink, type LinkPosition } from '../../base/links.ts';
import { confirm } from '../../platform/dialogs/confirm.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { warn } from '../../platform/dialogs/statusMessage.ts';
import type { Log } from '../../platform/log/log.ts';
import type { LastTextEditor } from './lastTextEditor.ts';
import { findInWorkspace } from './workspaceFiles.ts';

/**
 * Opens a link of a reply. VS Code asks before it opens a web address of an untrusted domain. Mail addresses and servers on
 * this machine, about which it never asks, are asked about here.
 *
 * @param lastEditor The editor in whose column files open.
 */
export async function openLink(
  href: string,
  lastEditor: LastTextEditor,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const link = parseLink(href);
  switch (link.kind) {
    case 'web':
      if (link.isTrusted) return openAfterQuestion(link.url);
      // VS Code's question shows the whole address only if it is passed as text.
      await commands.executeCommand('vscode.open', link.url);
      return;
    case 'mail':
      return openAfterQuestion(link.url);
    case 'file':
      return openFile(link, lastEditor);
    case 'refused':
      log.warn('Refused a link of a reply', undefined, link.scheme.slice(0, 40));
      warn(
        l10n.t(
          'Couldn’t open the link. Use a workspace file, email or web address without a user name.',
        ),
      );
  }
}

/** Returns whether a link, with or without a line, leads to a file of the workspace. */
export async function isFileLink(href: string): Promise<boolean> {
  const link = parseLink(href);
  if (link.kind !== 'file' || link.authority !== '') return false;
  return (await findInWorkspace(link.path))?.isFolder === false;
}

async function openAfterQuestion(url: string): Promise<void> {
  const question = l10n.t('Open this address?');
  // A remote window forwards the port of a local server only for a URI.
  if (await confirm(question, url, l10n.t('Open'), 'information'))
    await env.openExternal(Uri.parse(url, true));
}

async function openFile(
  { path, authority, position }: FileLink,
  lastEditor: LastTextEditor,
): Promise<void> {
  const found = await findInWorkspace(path, authority);
  if (found === undefined) {
    warn(l10n.t('{0} isn’t in this workspace.', plainLine(path, 120)));
  } else if (found.isFolder) {
    await commands.executeCommand('revealInExplorer', found.uri);
  } else {
    const selection = position && { selection: selectionOf(position) };
    const options = { ...lastEditor.columnOptions, ...selection };
    lastEditor.markShownByPage(found.uri);
    await commands.executeCommand('vscode.open', found.uri, options);
  }
}

function selectionOf({ line, column, endLine }: LinkPosition): Range {
  const start = new Position(line - 1, column - 1);
  return endLine > line ? new Range(start, new Position(endLine, 0)) : new Range(start, start);
}
