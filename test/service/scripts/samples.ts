const FENCE = '```';

/** Markdown of every kind that an intern writes. */
export const MARKDOWN_SAMPLE = `# What I found

The build is **green**, the tests are *almost* green, and ~~three~~ two warnings are left. See \`src/index.ts\`.

## Steps

1. Read the failing test
2. Found the cause
   - the clock was mocked
   - but not in \`afterEach\`
3. Wrote a fix

### Still open

- [x] Reproduce it
- [x] Fix it
- [ ] Add a test in [src/clock.ts](src/clock.ts)

| File | Lines | Note |
|:-----|------:|:----:|
| src/index.ts:12 | 40 | fixed |
| src/clock.ts | 8 | *new* |
| a \\| b | 0 | a pipe |

> A quote, with **emphasis**,
> over two lines.
>
> > And one inside.

${FENCE}ts
/** Waits for the clock, not for luck. */
export async function settle(clock: Clock): Promise<number> {
  await clock.tick(1_000);
  return clock.now;
}
${FENCE}

${FENCE}python
def settle(clock):
    return [step for step in clock.run() if step is not None]
${FENCE}

${FENCE}sh
npm ci && npm test -- --grep "clock"
${FENCE}

${FENCE}json
{ "name": "clock", "private": true, "count": 3 }
${FENCE}

${FENCE}diff
--- a/src/clock.ts
+++ b/src/clock.ts
@@ -1,3 +1,3 @@
 export const clock = {
-  now: Date.now(),
+  now: () => Date.now(),
 };
${FENCE}

More in <https://example.com/guide> or [the guide](https://example.com/guide "A guide"), and in src/index.ts:12:5.

![A diagram](https://example.com/diagram.png)

---

Grüße, привет, 你好, 👩‍💻.
`;

/** Markup that must have no effect: no script, request or command. */
export const HOSTILE_SAMPLE = `# Hostile sample

<script>document.title = 'pwned'</script>
<img src=x onerror="document.title='pwned'">
<svg onload="document.title='pwned'"></svg>
<iframe src="https://example.com/frame"></iframe>
<a href="javascript:document.title='pwned'">plain</a>
<style>body { display: none }</style>
<form action="https://example.com/steal"><input name="x"><button>Send</button></form>

[a command](command:workbench.action.quit) and [a script](javascript:alert%281%29)
[data](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)
[vscode](vscode://file/etc/passwd) and [a file](file:///etc/passwd)
![pixel](https://example.com/pixel.png?leak=1)
![command](command:workbench.action.quit)

<details open ontoggle="document.title='pwned'"><summary>More</summary>text</details>
<math><mtext><table><mglyph><style><img src=x onerror="document.title='pwned'"></style></mglyph></table></mtext></math>

Still here: **the end**.
`;

const REASONING_SAMPLE_LINES = [
  'The user wants me to think first. ',
  'There are two ways: a quick one that hides the cause, and a slower one that removes it. ',
  'The slower one touches three files, and its test exists already. ',
  'So I take the slower one.',
];

/** The reasoning of an intern. */
export const REASONING_SAMPLE = REASONING_SAMPLE_LINES.join('\n');

/** A section of a long reply, about 700 bytes: a heading, a list, a table and code. */
export function longSection(number: number): string {
  return `## Section ${number}

Paragraph ${number} with **bold**, *italic*, \`code\` and a [link](https://example.com/${number}); it goes on for a while, \
so that lines wrap and the reader has something to read.

- first point of section ${number}
- second point, in \`src/file${number}.ts:${number}\`

| Name | Value |
|------|------:|
| alpha | ${number} |
| beta | ${number * 2} |

${FENCE}ts
export function section${number}(input: readonly string[]): number {
  const count = input.filter((line) => line.length > ${number}).length;
  return count * ${number};
}
${FENCE}

`;
}
