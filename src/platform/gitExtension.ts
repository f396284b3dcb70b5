import * as vscode from 'vscode';

/** The parts of the built-in Git extension that are used here (version 1 of its API). */
interface GitExtension<R extends RootedRepository = RootedRepository> {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi<R>;
}

interface GitApi<R> {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<unknown>;
  readonly repositories: readonly R[];
}

interface RootedRepository {
  readonly rootUri: vscode.Uri;
}

/** The built-in Git extension; undefined where it does not run beside this one. */
export function gitExtension<R extends RootedRepository>():
  vscode.Extension<GitExtension<R>> | undefined {
  return vscode.extensions.getExtension<GitExtension<R>>('vscode.git');
}

/** The folders of the repositories that Git has open at the moment; none where Git is off or has not started yet. */
export function repositoryRoots(): readonly vscode.Uri[] {
  const extension = gitExtension();
  if (extension?.isActive !== true || !extension.exports.enabled) return [];
  return extension.exports.getAPI(1).repositories.map(({ rootUri }) => rootUri);
}
