import * as vscode from 'vscode';
import {
  type ContextItem,
  fenceLanguage,
  type LineRange,
  formatLocation,
} from '../../conversation/attachments.ts';
import type { LineTarget } from '../../platform/commands/ids.ts';
import type { EditorLocation } from '../editor/lastTextEditor.ts';
import { displayPath } from './fileUris.ts';

/** The number of lines before and after a problem that are added with it. */
const SURROUNDING_LINES = 5;
/** Maximum number of lines of the problem itself, because some cover a whole file. */
const MAX_PROBLEM_LINES = 20;

/** Returns an item with the problems that begin on a line and the code around them; undefined if there are none. */
export async function problemsAt({ document, line }: LineTarget): Promise<ContextItem | undefined> {
  const text = await vscode.workspace.openTextDocument(vscode.Uri.parse(document, true));
  const problems = vscode.languages
    .getDiagnostics(text.uri)
    .filter(({ range }) => range.start.line === line);
  if (problems.length === 0) return undefined;
  const end = Math.max(...problems.map(({ range }) => range.end.line));
  const first = Math.max(0, line - SURROUNDING_LINES);
  const lastShown = Math.min(end, line + MAX_PROBLEM_LINES - 1);
  const last = Math.min(text.lineCount - 1, lastShown + SURROUNDING_LINES);
  const origin = originOf(text);
  const location = formatLocation(origin.source, { first: line + 1, last: line + 1 });
  return {
    ...origin,
    lines: { first: first + 1, last: last + 1 },
    text: text.getText(new vscode.Range(first, 0, last, text.lineAt(last).text.length)),
    note: problems.map((problem) => `${location}: ${describe(problem)}`).join('\n'),
    label: vscode.l10n.t('Problem at {0}', location),
  };
}

/** Formats a problem like a compiler: `error ts(2322): …`. */
function describe({ severity, source, code, message }: vscode.Diagnostic): string {
  const id = typeof code === 'object' ? code.value : code;
  const reporter = `${source ?? ''}${id === undefined ? '' : `(${id})`}`;
  return `${[SEVERITY_NAMES[severity], reporter].filter((word) => word !== '').join(' ')}: ${message}`;
}

/** Indexed by `vscode.DiagnosticSeverity`. Not translated, because the intern reads them. */
const SEVERITY_NAMES = ['error', 'warning', 'info', 'hint'] as const;

export function registerProblemActions(isSignedIn: () => boolean): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions: ({ uri }, _range, { diagnostics }) => {
      if (diagnostics.length === 0 || !isSignedIn()) return [];
      const lines = [...new Set(diagnostics.map(({ range }) => range.start.line))];
      const problems = lines.map((line): LineTarget => ({ document: uri.toString(), line }));
      const title = vscode.l10n.t('Add Problem to Chat…');
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

/** Returns an item for each selection that is not blank. If nothing is selected, the lines of the cursors are used. */
export function selectedItems({ document, selections }: EditorLocation): readonly ContextItem[] {
  const ranges: readonly vscode.Range[] = selections.every(({ isEmpty }) => isEmpty)
    ? selections.map(({ active }) => document.lineAt(active).range)
    : selections.filter(({ isEmpty }) => !isEmpty);
  const origin = originOf(document);
  return ranges
    .map((range) => ({ ...origin, lines: linesOf(range), text: document.getText(range) }))
    .filter(({ text }) => text.trim() !== '');
}

function originOf(document: vscode.TextDocument): Pick<ContextItem, 'source' | 'language'> {
  const source = displayPath(document.uri);
  // A cell has the path of its notebook, but its own language.
  const isCell = document.uri.scheme === 'vscode-notebook-cell';
  const { languageId } = document;
  return { source, language: (isCell ? undefined : fenceLanguage(source)) ?? languageId };
}

/** Returns the lines of a range. A last line in which no character is selected does not count. */
function linesOf({ start, end }: vscode.Range): LineRange {
  const endsBefore = end.character === 0 && end.line > start.line;
  return { first: start.line + 1, last: endsBefore ? end.line : end.line + 1 };
}
