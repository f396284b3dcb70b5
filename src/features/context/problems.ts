import * as vscode from 'vscode';
import { placeOf, type ContextItem } from '../../conversation/attachments.ts';
import type { LineTarget } from '../../platform/commands/ids.ts';
import { originOf } from './editorSelection.ts';

/** How many lines around a problem are sent with it, on either side. */
const linesAround = 5;
/** Most lines of the problem itself: some cover a whole file. */
const maxProblemLines = 20;

/**
 * The problems that begin on a line, with the code around them as one item.
 *
 * @returns undefined where there are none any more.
 */
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
