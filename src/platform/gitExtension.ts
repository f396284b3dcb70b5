import * as vscode from 'vscode';

/** The used part of the built-in Git extension (version 1 of its API). */
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

/** Returns the built-in Git extension, unless it runs in another extension host. */
export function gitExtension<R extends RootedRepository>():
  vscode.Extension<GitExtension<R>> | undefined {
  return vscode.extensions.getExtension<GitExtension<R>>('vscode.git');
}

/** Returns the folders of open repositories; none if Git is off or has not started yet. */
export function repositoryRoots(): readonly vscode.Uri[] {
  const extension = gitExtension();
  if (extension?.isActive !== true || !extension.exports.enabled) return [];
  return extension.exports.getAPI(1).repositories.map(({ rootUri }) => rootUri);
}
