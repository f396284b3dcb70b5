import { env, extensions, l10n, type Event, type Extension, type Uri } from 'vscode';
import { UserError } from './text/reportFailure.ts';

/** The used part of the built-in Git extension (version 1 of its API). */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: Event<unknown>;
  readonly repositories: readonly GitRepository[];
}

export interface GitRepository {
  readonly rootUri: Uri;
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly mergeChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
  };
  /** Refreshes {@link state}. */
  status(): Promise<void>;
  /** Returns a patch of the staged changes if `cached`, else of the unstaged ones. Leaves out untracked files. */
  diff(cached: boolean): Promise<string>;
  /** Returns the latest commits, newest first. @throws if there are none */
  log(options: { readonly maxEntries: number }): Promise<readonly GitCommit[]>;
  /** Returns the ignored paths among the given ones. @throws if one is outside the repository, or in a submodule */
  checkIgnore(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns a patch between two trees, commits or blobs. */
  diffBlobs(before: string, after: string): Promise<string>;
}

interface GitChange {
  readonly uri: Uri;
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

/** Returns the built-in Git extension, unless it runs in another extension host. */
function gitExtension(): Extension<GitExtension> | undefined {
  return extensions.getExtension<GitExtension>('vscode.git');
}

/** Returns the folders of open repositories; none if Git is off or has not started yet. */
export function repositoryRoots(): readonly Uri[] {
  const extension = gitExtension();
  if (extension?.isActive !== true || !extension.exports.enabled) return [];
  return extension.exports.getAPI(1).repositories.map(({ rootUri }) => rootUri);
}

/** Returns the repositories that are open in this window. @throws UserError if Git is off, or there are none */
export async function openRepositories(): Promise<readonly GitRepository[]> {
  const extension = gitExtension();
  if (extension === undefined && env.remoteName !== undefined)
    throw new UserError(
      l10n.t(
        'Git runs on the remote machine. Set “remote.extensionKind” to run Interns there too.',
      ),
    );
  const git = await extension?.activate();
  if (git?.enabled !== true)
    throw new UserError(
      l10n.t(
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
    throw new UserError(l10n.t('This window has no Git repository.'));
  return api.repositories;
}
