/** Parses prompt files: `*.prompt.md`, Markdown with a front matter. Takes linear time for any text. */

interface PromptText {
  /** The `description` of the front matter, else the first line. Untrusted text. */
  readonly description: string;
  readonly body: string;
}

/** A value that the user enters before the prompt is used: `${input:name}` or `${input:name:placeholder}`. */
interface PromptInput {
  readonly name: string;
  readonly placeholder: string;
}

/** A placeholder may contain pairs of braces. */
const INPUT_PLACEHOLDER =
  /\$\{input:([^:{}\n]{1,64})(?::((?:[^{}\n]|\{[^{}\n]{0,200}\}){0,500}))?\}/gu;

/** Maximum number of inputs of a prompt. Further ones stay in the text as they are. */
const MAX_INPUTS = 20;

/** Splits a file's text. A front matter without an end counts as body. */
export function parsePromptText(text: string): PromptText {
  const lines = text.replace(/^\ufeff/u, '').split(/\r?\n/u);
  const isMark = (line: string | undefined) => line?.trimEnd() === '---';
  const end = isMark(lines[0]) ? lines.findIndex((line, index) => index > 0 && isMark(line)) : -1;
  const described = descriptionIn(lines.slice(1, Math.max(1, end)));
  const body = lines.slice(end + 1);
  const first = body.find((line) => line.trim() !== '') ?? '';
  return {
    description: described || first.replace(/^#{1,6}\s/u, '').trim(),
    body: body.join('\n').trim(),
  };
}

/** Reads the description on its line, or in a YAML block on the indented lines after it. */
function descriptionIn(lines: readonly string[]): string {
  const index = lines.findIndex((line) => line.startsWith('description:'));
  const value = lines[index]?.slice('description:'.length).trim() ?? '';
  if (!/^[>|][-+\d]*$/u.test(value)) return unquoted(value);
  const rest = lines.slice(index + 1);
  const end = rest.findIndex((line) => /^\S/u.test(line));
  const block = end === -1 ? rest : rest.slice(0, end);
  return block
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/** Returns each input once, in the order of the text. */
export function findInputs(body: string): readonly PromptInput[] {
  const inputs = new Map<string, PromptInput>();
  for (const [, name = '', placeholder = ''] of body.matchAll(INPUT_PLACEHOLDER))
    if (!inputs.has(name)) inputs.set(name, { name, placeholder });
  return [...inputs.values()].slice(0, MAX_INPUTS);
}

/** Replaces the inputs that have a value. Inputs inside of values are not replaced. */
export function fillInputs(body: string, values: ReadonlyMap<string, string>): string {
  return body.replace(INPUT_PLACEHOLDER, (written, name: string) => values.get(name) ?? written);
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/su.exec(value)?.[2] ?? value;
}
