import * as vscode from 'vscode';
import { gitExtension } from '../../platform/gitExtension.ts';
import { UserError } from '../../platform/text/reportFailure.ts';

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly mergeChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
  };
  /** Refreshes {@link state}. */
  status(): Promise<void>;
  /** Returns a patch of the staged changes, else of the unstaged ones. Leaves out untracked files. */
  diff(cached: boolean): Promise<string>;
  /** Returns the latest commits, newest first. @throws if there are none */
  log(options: { readonly maxEntries: number }): Promise<readonly GitCommit[]>;
  /** Returns the ignored paths among the given ones. @throws if one is outside the repository, or in a submodule */
  checkIgnore(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns a patch between two trees, commits or blobs. */
  diffBlobs(before: string, after: string): Promise<string>;
}

interface GitChange {
  readonly uri: vscode.Uri;
  /** 7 for untracked, 8 for ignored. */
  readonly status: number;
}

export interface GitCommit {
  readonly hash: string;
  readonly message: string;
  readonly parents: readonly string[];
  readonly authorName?: string;
  readonly authorDate?: Date;
}

/** Returns the repositories that are open in this window. @throws UserError if Git is off, or there are none */
export async function openRepositories(): Promise<readonly GitRepository[]> {
  const extension = gitExtension<GitRepository>();
  if (extension === undefined && vscode.env.remoteName !== undefined)
    throw new UserError(
      vscode.l10n.t(
        'Git runs on the remote machine. Set “remote.extensionKind” to run Interns there too.',
      ),
    );
  const git = await extension?.activate();
  if (git?.enabled !== true)
    throw new UserError(
      vscode.l10n.t(
        'Git isn’t available. It may be turned off, or this window may be in Restricted Mode.',
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
    throw new UserError(vscode.l10n.t('This window has no Git repository.'));
  return api.repositories;
}

/** Git's hashes of an empty tree, by hash length (SHA-1, SHA-256). */
const EMPTY_TREE_HASHES: Readonly<Record<number, string>> = {
  40: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  64: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

/** Returns the patch of a commit against its first parent, or against an empty tree. */
export function commitPatch(
  repository: GitRepository,
  { hash, parents }: GitCommit,
): Promise<string> {
  return repository.diffBlobs(parents[0] ?? EMPTY_TREE_HASHES[hash.length] ?? '', hash);
}
