import ts from 'typescript';

/** Returns the nodes of a source in order, without those that `skips` matches and the nodes below them. */
export function nodesIn(
  name: string,
  text: string,
  skips: (node: ts.Node) => boolean = () => false,
): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (skips(node)) return;
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  return found;
}

/** Returns the first argument of each call of a function, if any. */
export function firstArguments(nodes: readonly ts.Node[], callee: RegExp): readonly ts.Node[] {
  return nodes.flatMap((node) =>
    ts.isCallExpression(node) && callee.test(node.expression.getText())
      ? node.arguments.slice(0, 1)
      : [],
  );
}
