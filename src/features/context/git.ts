import * as vscode from 'vscode';
import { gitExtension } from '../../platform/gitExtension.ts';
import { UserError } from '../../platform/words/report.ts';

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly mergeChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
  };
  /** Looks anew what has changed. */
  status(): Promise<void>;
  /** A patch of what is staged, else of what is not; without files that Git does not track. */
  diff(cached: boolean): Promise<string>;
  /** The latest commits, the newest first. @throws where there are none yet */
  log(options: { readonly maxEntries: number }): Promise<readonly GitCommit[]>;
  /** The paths among the given ones that Git ignores. @throws for one that is not in the repository, or in its submodule */
  checkIgnore(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** A patch between two objects of any kind. */
  diffBlobs(before: string, after: string): Promise<string>;
}

interface GitChange {
  readonly uri: vscode.Uri;
  /** What is new to Git has 7, what it ignores 8. */
  readonly status: number;
}

export interface GitCommit {
  readonly hash: string;
  readonly message: string;
  readonly parents: readonly string[];
  readonly authorName?: string;
  readonly authorDate?: Date;
}

/** The repositories that are open in this window. @throws UserError where Git is not on, or there are none. */
export async function openRepositories(): Promise<readonly GitRepository[]> {
  const extension = gitExtension<GitRepository>();
  if (extension === undefined && vscode.env.remoteName !== undefined)
    throw new UserError(
      vscode.l10n.t(
        'Git runs on the remote machine, and this extension does not. The setting “remote.extensionKind” can have it run there.',
      ),
    );
  const git = await extension?.activate();
  if (git?.enabled !== true)
    throw new UserError(
      vscode.l10n.t(
        'Git is not available here: it may be switched off, or this window be in Restricted Mode.',
      ),
    );
  const api = git.getAPI(1);
  if (api.state === 'uninitialized')
    await new Promise<void>((resolve) => {
      const waiting = api.onDidChangeState(() => {
        waiting.dispose();
        resolve();
      });
    });
  if (api.repositories.length === 0)
    throw new UserError(vscode.l10n.t('There is no Git repository in this window.'));
  return api.repositories;
}

/** Whether a change is in a patch: what Git does not track is not. */
export function isTracked({ status }: GitChange): boolean {
  return status !== 7 && status !== 8;
}

/** Git's names for a tree without files, by the length of a repository's hashes. */
const emptyTrees: Readonly<Record<number, string>> = {
  40: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  64: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

/** The patch of a commit against its first parent; of the first commit, against nothing. */
export function patchOf(repository: GitRepository, { hash, parents }: GitCommit): Promise<string> {
  return repository.diffBlobs(parents[0] ?? emptyTrees[hash.length] ?? '', hash);
}
