const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Reads a number that a JSON number holds without loss.
 *
 * Undefined for what is not written as JSON writes numbers (`007`, `.5`, `1,5`, `NaN`), and for digits that a double
 * would change (`9007199254740993`). `1.50` and `1e3` lose nothing.
 */
export function exactNumber(text: string): number | undefined {
  if (!JSON_NUMBER.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || canonical(text) !== canonical(String(value))) return undefined;
  return value === 0 ? 0 : value;
}

/** Significant digits and the power of ten of the last one: equal for amounts that differ in their sign at most. */
function canonical(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${significant}e${power}`;
}
