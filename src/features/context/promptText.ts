/** Prompt files: `*.prompt.md`, Markdown that a team keeps beside its code. Read in linear time, whatever is in one. */

/** What one holds. */
interface PromptText {
  /** From its front matter, else its first line; as written. */
  readonly description: string;
  /** All but the front matter. */
  readonly body: string;
}

/** Something that is asked for before the prompt is written: `${input:name}` or `${input:name:placeholder}`. */
export interface PromptInput {
  readonly name: string;
  readonly placeholder: string;
}

/** A placeholder may have braces in pairs. */
const input = /\$\{input:([^:{}\n]{1,64})(?::((?:[^{}\n]|\{[^{}\n]{0,200}\}){0,500}))?\}/gu;

/** Most inputs of one prompt that are asked for; others stay as they are written. */
const mostInputs = 20;

/** Reads a file's text. A front matter without an end is none. */
export function parsePromptText(text: string): PromptText {
  const lines = text.replace(/^\ufeff/u, '').split(/\r?\n/u);
  const isMark = (line: string | undefined) => line?.trimEnd() === '---';
  const end = isMark(lines[0]) ? lines.findIndex((line, index) => index > 0 && isMark(line)) : -1;
  const described = describedIn(lines.slice(1, Math.max(1, end)));
  const body = lines.slice(end + 1);
  const first = body.find((line) => line.trim() !== '') ?? '';
  return {
    description: described || first.replace(/^#{1,6}\s/u, '').trim(),
    body: body.join('\n').trim(),
  };
}

/** The description of a front matter: on its line, or as YAML's blocks have it, on the indented lines after it. */
function describedIn(lines: readonly string[]): string {
  const at = lines.findIndex((line) => line.startsWith('description:'));
  const value = lines[at]?.slice('description:'.length).trim() ?? '';
  if (!/^[>|][-+\d]*$/u.test(value)) return unquoted(value);
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => /^\S/u.test(line));
  const block = end === -1 ? rest : rest.slice(0, end);
  return block
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/** What is asked for, each name once, in the order of the text. */
export function inputsOf(body: string): readonly PromptInput[] {
  const inputs = new Map<string, PromptInput>();
  for (const [, name = '', placeholder = ''] of body.matchAll(input))
    if (!inputs.has(name)) inputs.set(name, { name, placeholder });
  return [...inputs.values()].slice(0, mostInputs);
}

/** Puts values in the place of the inputs that have one. What stands in a value stays as it is. */
export function fillInputs(body: string, values: ReadonlyMap<string, string>): string {
  return body.replace(input, (written, name: string) => values.get(name) ?? written);
}

function unquoted(value: string): string {
  const quote = value.at(0);
  const isQuoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1) : value;
}
