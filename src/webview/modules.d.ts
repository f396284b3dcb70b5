/** Style sheets are bundled beside the script; importing one has no value. */
declare module '*.css';

/** What we use of Temml, without its additions for chemistry; its own types leave what it makes open. */
declare module 'temml/temml.js' {
  type MathNode = import('./markdown/draw/mathLimits.ts').MathNode;

  export interface Options {
    readonly displayMode: boolean;
    readonly throwOnError: boolean;
    readonly trust: boolean;
    readonly maxSize: readonly [number, number];
    readonly maxExpand: number;
    readonly macros: Record<string, unknown>;
  }
  const temml: { __renderToMathMLTree(tex: string, options: Options): MathNode };
  export default temml;
}
