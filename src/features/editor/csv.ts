/** What a spreadsheet takes for the beginning of a formula, also in the wide letters of East Asian text. */
const formula = /^[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;
/** What begins a cell or a row for a spreadsheet that splits at something else than commas, or heeds no quotation marks. */
const boundary = /([\t\v\f\r\n\u0085\u2028\u2029;])/;
/** A number with a sign, which is none. */
const signedNumber = /^[+-]?[\s.,]*\d[\d\s.,]*(?:[eE][+-]?\d+)?[%\u20AC$\u00A3\u00A5]?$/;

/**
 * Rows as CSV (RFC 4180). A cell that a spreadsheet would run as a formula gets an apostrophe before it, which makes it
 * text there, and so does what may become a cell of its own: an intern may have written it, or repeated it from anywhere.
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((cell) => quoted(harmless(cell.trim()))).join(',')).join('\r\n');
}

function harmless(cell: string): string {
  return cell
    .split(boundary)
    .map((part) => (formula.test(part) && !signedNumber.test(part.trim()) ? `'${part}` : part))
    .join('');
}

function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
