/** Types of the peers that only the bench installs (see ../package.json). */

declare module 'streaming-markdown' {
  export interface Parser {
    readonly renderer: object;
  }
  export function default_renderer(root: HTMLElement): object;
  export function parser(renderer: object): Parser;
  export function parser_write(parser: Parser, chunk: string): void;
  export function parser_end(parser: Parser): void;
}

declare module 'react' {
  export function createElement(type: unknown, properties: null, children: string): object;
}

declare module 'react-dom' {
  export function flushSync(work: () => void): void;
}

declare module 'react-dom/client' {
  export function createRoot(element: HTMLElement): { render(node: object): void };
}

declare module 'streamdown' {
  export const Streamdown: unknown;
}
