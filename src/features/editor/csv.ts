/** The start of a formula in a spreadsheet, also in full-width characters. */
const FORMULA_START = /^[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;
/** Separators of cells and rows in spreadsheets that do not split at commas, or ignore quotation marks. */
const CELL_SEPARATOR = /([\t\v\f\r\n\u0085\u2028\u2029;])/;
/** A number, which is not a formula even with a sign. */
const SIGNED_NUMBER = /^[+-]?[\s.,]*\d[\d\s.,]*(?:[eE][+-]?\d+)?[%\u20AC$\u00A3\u00A5]?$/;

/**
 * Formats rows as CSV (RFC 4180). An apostrophe is put before everything that a spreadsheet could run as a formula,
 * because the text is untrusted.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((cell) => quoted(harmless(cell.trim()))).join(',')).join('\r\n');
}

function harmless(cell: string): string {
  return cell
    .split(CELL_SEPARATOR)
    .map((part) =>
      FORMULA_START.test(part) && !SIGNED_NUMBER.test(part.trim()) ? `'${part}` : part,
    )
    .join('');
}

function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
