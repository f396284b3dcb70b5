/**
 * Every rule of the interface, by its sections, and the tests that hold it: in the local service, in the client, or both.
 *
 * To claim a rule for the client, find its row in `rules/` and add `client: tests('describe title', 'it title', …)` beside
 * `service`, with the titles as mocha prints them; a title that ends in `*` stands for all that begin so. A row without any
 * test must say `why`. `rules.test.ts` fails when a row names a test that did not run and pass, in every run that loads all
 * files of its folder (test/service for `service`, test/unit for `client`).
 *
 * `node test/service/rules.ts` prints the table.
 */
import { pathToFileURL } from 'node:url';
import { ACCESS_RULES } from './rules/access.ts';
import { CHAT_RULES } from './rules/chat.ts';
import { ENDPOINT_RULES } from './rules/endpoints.ts';
import { ERROR_RULES } from './rules/errors.ts';
import { LIMIT_RULES } from './rules/limits.ts';
import { RESOURCE_RULES } from './rules/resources.ts';
import type { Rule } from './rules/rule.ts';
import { SECRET_ROUTE_RULES } from './rules/secretRoute.ts';
import { STATE_RULES } from './rules/states.ts';
import { STREAM_RULES } from './rules/stream.ts';

/** In the order of the interface's page. */
export const RULES: readonly Rule[] = [
  ...ACCESS_RULES,
  ...RESOURCE_RULES,
  ...CHAT_RULES,
  ...STREAM_RULES,
  ...STATE_RULES,
  ...ENDPOINT_RULES,
  ...SECRET_ROUTE_RULES,
  ...ERROR_RULES,
  ...LIMIT_RULES,
].sort((one, other) => sectionOf(one) - sectionOf(other));

function sectionOf({ id }: Rule): number {
  return Number.parseInt(id, 10);
}

/** Whether the title that a row names is that of a test: to the letter, or up to its `*`. */
export function names(named: string, title: string): boolean {
  return named.endsWith('*') ? title.startsWith(named.slice(0, -1)) : title === named;
}

function print(): void {
  let heading = '';
  for (const { id, section, text, service, client, why } of RULES) {
    if (section !== heading) console.log(`\n${section}\n`);
    heading = section;
    const held = `service ${service.length}, client ${client.length}`;
    console.log(`${id.padEnd(6)} ${text} [${why ?? held}]`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) print();
