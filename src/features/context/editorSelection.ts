import type { Range, TextDocument } from 'vscode';
import { fenceLanguage, type ContextItem, type LineRange } from '../../conversation/attachments.ts';
import type { TextPlace } from '../editor/lastTextEditor.ts';
import { displayPath } from './places.ts';

/**
 * What is selected in an editor, an item for each selection. With nothing selected, the lines of the cursors: as VS
 * Code's own Copy and its own Add Selection to Chat take them. Blank stretches are left out.
 */
export function selectedItems({ document, selections }: TextPlace): readonly ContextItem[] {
  const ranges: readonly Range[] = selections.every(({ isEmpty }) => isEmpty)
    ? selections.map(({ active }) => document.lineAt(active).range)
    : selections.filter(({ isEmpty }) => !isEmpty);
  return ranges.map((range) => itemOf(document, range)).filter(({ text }) => text.trim() !== '');
}

function itemOf(document: TextDocument, range: Range): ContextItem {
  return { ...originOf(document), lines: linesOf(range), text: document.getText(range) };
}

/** The source and language of what is taken from a document. */
export function originOf(document: TextDocument): Pick<ContextItem, 'source' | 'language'> {
  const source = displayPath(document.uri);
  // A cell has the path of its notebook and a language of its own.
  const isCell = document.uri.scheme === 'vscode-notebook-cell';
  const { languageId } = document;
  return { source, language: (isCell ? undefined : fenceLanguage(source)) ?? languageId };
}

/** The lines that a range takes from; one that ends at the start of a line takes nothing from that. */
function linesOf({ start, end }: Range): LineRange {
  const endsBefore = end.character === 0 && end.line > start.line;
  return { first: start.line + 1, last: endsBefore ? end.line : end.line + 1 };
}
