declare module '*.css';

/** The part of Temml that the page uses. Its own types do not describe the tree. */
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
