import type { HLJSApi, Language } from 'highlight.js';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import graphql from 'highlight.js/lib/languages/graphql';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

/** The known languages. Each has its own aliases (`ts`, `tsx`, `sh`, `html` …). */
const languages = {
  ...{ bash, cpp, csharp, css, diff, dockerfile, go, graphql, ini, java, json, kotlin },
  ...{ lua, makefile, markdown, php, python, ruby, rust, sql, typescript },
  ...{ xml, yaml },
};

const LANGUAGE_ALIASES: readonly (readonly [language: string, names: string[]])[] = [
  ['typescript', ['javascript', 'js', 'jsx', 'mjs', 'cjs']],
  ['json', ['jsonc', 'json5']],
  ['bash', ['console', 'shell', 'shellsession']],
  ['cpp', ['c', 'h']],
  ['css', ['scss', 'sass', 'less']],
  ['xml', ['vue', 'svelte']],
];

const toBuild = Object.entries(languages);

/**
 * Builds grammars until `performance.now()` reaches `until`. The next call builds more.
 *
 * @returns whether there was anything to do
 */
export function buildGrammars(until: number): boolean {
  if (toBuild.length === 0) return false;
  for (let next = toBuild.pop(); next !== undefined; next = toBuild.pop()) {
    hljs.registerLanguage(...next);
    if (performance.now() >= until) break;
  }
  if (toBuild.length === 0)
    for (const [languageName, names] of LANGUAGE_ALIASES)
      hljs.registerAliases(names, { languageName });
  return true;
}

/** Returns whether a language is known, once the grammars are built. */
export function isKnownLanguage(name: string): boolean {
  return hljs.getLanguage(name) !== undefined;
}

/** Returns code of a known language as escaped text with `span` elements. */
export function colored(code: string, language: string): string {
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

/**
 * CSS, SCSS and Less, recognized by syntax. highlight.js's own grammar lists all names, which would be a twentieth of the
 * page.
 */
export function css(hljs: HLJSApi): Language {
  return {
    name: 'CSS',
    case_insensitive: true,
    contains: [
      hljs.C_BLOCK_COMMENT_MODE,
      { scope: 'string', begin: /(?<=url\()[^'")\s]+/ },
      hljs.C_LINE_COMMENT_MODE,
      hljs.APOS_STRING_MODE,
      hljs.QUOTE_STRING_MODE,
      // Includes interpolations and mixins of Less.
      { scope: 'variable', begin: /--[\w-]+|\$[\w-]+|@[\w-]+(?=\s?:)|@\{[\w-]+\}/ },
      { scope: 'keyword', begin: /@[\w-]+|!important\b/ },
      { scope: 'attribute', begin: /(?<![\w-])[a-z][\w-]*(?=\s?:(?:\s|["'#$@\d.-]))/ },
      { scope: 'selector-tag', begin: /^[ \t]*(?:[a-z][\w-]*|[*&])(?=[ ,.#>+~[{]|:[a-z:]|$)/ },
      {
        scope: 'number',
        begin: /#[\da-f]{3,8}(?=[\s,;)}!]|$)|(?<![\w-])-?(?:\d*\.)?\d+(?:%|[a-z]+)?/,
      },
      { scope: 'selector-id', begin: /#[a-z_][\w-]*/ },
      { scope: 'selector-class', begin: /\.[a-z_][\w-]*/ },
      { scope: 'keyword', begin: /::?[a-z][\w-]*(?=[\s,({:.>+~]|$)/ },
      { scope: 'built_in', begin: /(?<![\w-])[a-z][\w-]*(?=\()/ },
    ],
  };
}
