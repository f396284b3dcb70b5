/** One rule of the interface, and what holds it. */
export interface Rule {
  /** `SECTION.NUMBER`, as in the printed table. */
  readonly id: string;
  /** The heading of the interface's page. */
  readonly section: string;
  readonly text: string;
  /** Full mocha titles of the tests that hold the rule in the local service. */
  readonly service: readonly string[];
  /** Full mocha titles of the tests that hold it in the client (src/api and above). */
  readonly client: readonly string[];
  /** Why no test holds it, in a sentence; needed where both lists are empty. */
  readonly why: string | undefined;
}

export interface Holds {
  service?: readonly string[];
  client?: readonly string[];
  why?: string;
}

/** A section of the interface's page: its number in this table, its heading, and its rules in the page's order. */
export function section(
  number: number,
  heading: string,
  rules: readonly (readonly [text: string, holds: Holds])[],
): Rule[] {
  return rules.map(([text, { service = [], client = [], why }], index) => ({
    id: `${number}.${index + 1}`,
    section: heading,
    text,
    service,
    client,
    why,
  }));
}

/** Full titles of tests inside one `describe`. A title that ends in `*` stands for all that begin so, at least one. */
export function tests(describe: string, ...titles: readonly string[]): string[] {
  return titles.map((title) => `${describe} ${title}`);
}
