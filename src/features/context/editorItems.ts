import * as vscode from 'vscode';
import {
  type ContextItem,
  fenceLanguage,
  type LineRange,
  placeOf,
} from '../../conversation/attachments.ts';
import type { LineTarget } from '../../platform/commands/ids.ts';
import type { EditorLocation } from '../editor/lastTextEditor.ts';
import { displayPath } from './fileUris.ts';

/** The number of lines before and after a problem that are sent with it. */
const linesAround = 5;
/** The most lines of the problem itself: some cover a whole file. */
const maxProblemLines = 20;

/** Returns the problems that begin on a line, with the code around them, as one item; undefined if there are none. */
export async function problemsAt({ document, line }: LineTarget): Promise<ContextItem | undefined> {
  const text = await vscode.workspace.openTextDocument(vscode.Uri.parse(document, true));
  const problems = vscode.languages
    .getDiagnostics(text.uri)
    .filter(({ range }) => range.start.line === line);
  if (problems.length === 0) return undefined;
  const end = Math.max(...problems.map(({ range }) => range.end.line));
  const first = Math.max(0, line - linesAround);
  const last = Math.min(
    text.lineCount - 1,
    Math.min(end, line + maxProblemLines - 1) + linesAround,
  );
  const origin = originOf(text);
  const place = placeOf(origin.source, { first: line + 1, last: line + 1 });
  return {
    ...origin,
    lines: { first: first + 1, last: last + 1 },
    text: text.getText(new vscode.Range(first, 0, last, text.lineAt(last).text.length)),
    note: problems.map((problem) => `${place}: ${describe(problem)}`).join('\n'),
    label: vscode.l10n.t('Problem at {0}', place),
  };
}

/** The text of a problem as compilers write it, in the words of whoever reported it: `error ts(2322): …`. */
function describe({ severity, source, code, message }: vscode.Diagnostic): string {
  const id = typeof code === 'object' ? code.value : code;
  const reporter = `${source ?? ''}${id === undefined ? '' : `(${id})`}`;
  return `${[severityWords[severity], reporter].filter((word) => word !== '').join(' ')}: ${message}`;
}

/** By `vscode.DiagnosticSeverity`. English in every locale: it is read by an intern. */
const severityWords = ['error', 'warning', 'info', 'hint'] as const;

/** Offers `Send Problem to Chat…` wherever a quick fix of a problem is offered, in the Problems view too. */
export function registerProblemActions(isSignedIn: () => boolean): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions: ({ uri }, _range, { diagnostics }) => {
      if (diagnostics.length === 0 || !isSignedIn()) return [];
      const lines = [...new Set(diagnostics.map(({ range }) => range.start.line))];
      const problems = lines.map((line): LineTarget => ({ document: uri.toString(), line }));
      const title = vscode.l10n.t('Send Problem to Chat…');
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.diagnostics = [...diagnostics];
      action.command = {
        command: 'interns.sendProblem',
        title,
        arguments: [problems[0], problems],
      };
      return [action];
    },
  };
  return vscode.languages.registerCodeActionsProvider('*', provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}

/**
 * Returns an item for each selection of an editor; without a selection, the lines of the cursors, like VS Code's own
 * Copy. Blank selections are left out.
 */
export function selectedItems({ document, selections }: EditorLocation): readonly ContextItem[] {
  const ranges: readonly vscode.Range[] = selections.every(({ isEmpty }) => isEmpty)
    ? selections.map(({ active }) => document.lineAt(active).range)
    : selections.filter(({ isEmpty }) => !isEmpty);
  return ranges.map((range) => itemOf(document, range)).filter(({ text }) => text.trim() !== '');
}

function itemOf(document: vscode.TextDocument, range: vscode.Range): ContextItem {
  return { ...originOf(document), lines: linesOf(range), text: document.getText(range) };
}

/** Names the file and language of a document. */
function originOf(document: vscode.TextDocument): Pick<ContextItem, 'source' | 'language'> {
  const source = displayPath(document.uri);
  // A cell has the path of its notebook and a language of its own.
  const isCell = document.uri.scheme === 'vscode-notebook-cell';
  const { languageId } = document;
  return { source, language: (isCell ? undefined : fenceLanguage(source)) ?? languageId };
}

/** The lines of a range. One that ends at the start of a line takes nothing from it. */
function linesOf({ start, end }: vscode.Range): LineRange {
  const endsBefore = end.character === 0 && end.line > start.line;
  return { first: start.line + 1, last: endsBefore ? end.line : end.line + 1 };
}
