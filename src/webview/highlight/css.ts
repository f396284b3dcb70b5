import type { HLJSApi, Language } from 'highlight.js';

/**
 * CSS, SCSS and Less. highlight.js's own grammar knows every property and element by its name, which would be a
 * twentieth of the page; this one goes by how they are written, and needs no update for new ones.
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
      // Also an interpolation, and a mixin of Less.
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
