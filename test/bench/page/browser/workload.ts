const prose =
  'The loader reads the **configuration** once and keeps it; see `readConfig` in `src/config/load.ts:42` and [the notes](https://example.test/notes). Naïve cafés, Привет, 漢字 and 🙂 are text too, and *nothing* here is special.';

function list(index: number, bullet: (item: number) => string): string {
  const items = Array.from(
    { length: 8 },
    (_, item) => `${bullet(item)} Item ${item} of **section ${index}** with \`code_${item}\` in it`,
  );
  return items.join('\n');
}

function table(index: number): string {
  const rows = Array.from(
    { length: 8 },
    (_, row) => `| row ${row} | ${index * row} | *value ${row}* |`,
  );
  return ['| Name | Count | Note |', '|---|---:|:---:|', ...rows].join('\n');
}

function code(index: number): string {
  const lines = Array.from(
    { length: 40 },
    (_, line) =>
      `  const value${line} = await compute(${line}, 'section ${index}'); // step ${line}`,
  );
  const body = lines.join('\n');
  return `\`\`\`typescript\nexport async function section${index}(): Promise<void> {\n${body}\n}\n\`\`\``;
}

/** About 6 KB of what interns write: headings, text, lists, a table and a block of code. */
function section(index: number): string {
  return [
    ...[`## Section ${index}`, prose, prose, prose, list(index, () => '-'), prose, table(index)],
    ...[`### Code of section ${index}`, code(index), prose, prose],
    ...[list(index, (item) => `${item + 1}.`), `> ${prose}`],
  ].join('\n\n');
}

/** Mixed Markdown of this many characters, the same every time. */
export function mixedReply(characters: number): string {
  let text = '';
  for (let index = 1; text.length < characters; index++) text += `${section(index)}\n\n`;
  return text.slice(0, characters);
}

/** A message of a long conversation: short prompts, and replies of a paragraph, a list and a few lines of code. */
export function messageText(index: number): string {
  if (index % 2 === 0) return `Prompt ${index}: what about section ${index}?`;
  const lines = `const value = ${index};\nuse(value);`;
  return `Reply ${index}. ${prose}\n\n- one\n- **two**\n- \`three\`\n\n\`\`\`ts\n${lines}\n\`\`\`\n\nThat is all.`;
}
