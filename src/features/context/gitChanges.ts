import { l10n } from 'vscode';
import { MAX_PROMPT_CHARACTERS } from '../../api/index.ts';
import { itemCharacterCount, type ContextItem } from '../../conversation/attachments.ts';
import type { ChangesTarget, UriTarget } from '../../platform/commands/ids.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { PickRow, Dialogs, Refusal } from '../../platform/dialogs/dialogs.ts';
import { pickStep, runSteps, type Step } from '../../platform/dialogs/steps.ts';
import {
  type GitCommit,
  type GitRepository,
  openRepositories,
} from '../../platform/gitExtension.ts';
import { formatNumber, formatRelative } from '../../platform/text/format.ts';
import { lengthMessage } from '../../platform/text/limitMessages.ts';
import { UserError } from '../../platform/text/reportFailure.ts';
import { parseUnifiedDiff } from '../editor/unifiedDiff.ts';

const MAX_COMMITS = 50;

type Changes = 'staged' | 'unstaged' | GitCommit;

interface Values {
  readonly repository: GitRepository;
  readonly changes: Changes;
  /** The patch of all files. */
  readonly patch: string;
  /** The files to send; undefined for all. */
  readonly files: readonly ChangedFile[] | undefined;
}

/**
 * Asks for the repository, the changes (staged, unstaged or a commit), and the files if not all fit into a prompt.
 * Returns undefined if the user left.
 *
 * @throws UserError if there is no repository, or the given changes are empty
 */
export async function pickChanges(
  dialogs: Dialogs,
  { within, changes }: ChangesTarget,
): Promise<ContextItem | undefined> {
  const repositories = await openRepositories();
  const named = within && repositoryOf(repositories, within, changes);
  const [first] = repositories;
  const repository = named ?? first;
  if (repository === undefined) return undefined;
  const given = named === undefined ? undefined : changes;
  const patch = given === undefined ? '' : await patchFor(repository, given);
  if (given !== undefined && patch.trim() === '') throw new UserError(noChangesMessage());
  const steps = [
    ...(named === undefined && repositories.length > 1 ? [repositoryStep(repositories)] : []),
    ...(given === undefined ? [changesStep()] : []),
    filesStep(),
  ];
  const initial: Values = { repository, changes: given ?? 'staged', patch, files: undefined };
  const title = l10n.t('Add Git Changes to Chat');
  const { kind, values } = await runSteps(dialogs, steps, initial, { title });
  return kind === 'done' ? itemOf(values) : undefined;
}

/** Returns the repository with a change at the path, such as of a submodule; else the innermost one around it. */
function repositoryOf(
  repositories: readonly GitRepository[],
  { path }: UriTarget,
  changes: ChangesTarget['changes'],
): GitRepository | undefined {
  const changed = repositories.find(({ state }) => {
    if (changes === undefined) return false;
    const all = changes === 'staged' ? state.indexChanges : state.workingTreeChanges;
    return all.some(({ uri }) => uri.path === path);
  });
  const [innermost] = repositories
    .filter(({ rootUri }) => `${path}/`.startsWith(`${rootUri.path}/`))
    .toSorted((a, b) => b.rootUri.path.length - a.rootUri.path.length);
  return changed ?? innermost;
}

function repositoryStep(repositories: readonly GitRepository[]): Step<Values> {
  return pickStep('repository', () => ({
    placeholder: l10n.t('Select a repository'),
    rows: repositories.map((repository) => ({
      label: plainLine(nameOf(repository), 80),
      description: plainLine(repository.rootUri.path),
      icon: 'repo',
      value: repository,
    })),
  }));
}

/** Reads the patch on submit, so that empty changes are refused in the dialog. */
function changesStep(): Step<Values> {
  return {
    id: 'changes',
    show: async (values, ask) => {
      const { repository } = values;
      await repository.status();
      let patch = '';
      return ask.pick({
        placeholder: l10n.t('Select the changes to add'),
        rows: [...changedRows(repository), ...(await commitRows(repository))],
        active: values.changes,
        submit: async (changes, signal): Promise<Refusal | undefined> => {
          const read = await patchFor(repository, changes);
          if (!signal.aborted) patch = read;
          return read.trim() === '' ? { message: noChangesMessage() } : undefined;
        },
        write: (changes) => ({ ...values, changes, patch, files: undefined }),
      });
    },
  };
}

function filesStep(): Step<Values> {
  return {
    id: 'files',
    // A character has at most two UTF-16 units, so a much longer patch needs no counting.
    applies: (values) =>
      values.patch.length > 2 * MAX_PROMPT_CHARACTERS ||
      excess({ ...values, files: undefined }) !== undefined,
    show: (values, ask) =>
      ask.pickMany<ChangedFile, Values>({
        placeholder: l10n.t('The changes are too large for one prompt. Select files to add.'),
        rows: splitPatch(values.patch).map((file) => ({
          label: plainLine(file.path),
          description: characterCountLabel(file.text.length),
          value: file,
        })),
        validate: (files) =>
          files.length === 0 ? l10n.t('Select at least one file.') : excess({ ...values, files }),
        write: (files) => ({ ...values, files }),
      }),
  };
}

function changedRows({ state }: GitRepository): readonly PickRow<Changes>[] {
  const { indexChanges, mergeChanges, workingTreeChanges } = state;
  const tracked = workingTreeChanges.filter(({ status }) => status !== 7 && status !== 8);
  const unstaged = tracked.length + mergeChanges.length;
  const isPartial = tracked.length < workingTreeChanges.length;
  return [
    {
      label: l10n.t('Staged changes'),
      description: fileCountLabel(indexChanges.length),
      icon: 'diff-added',
      value: 'staged',
    },
    {
      label: l10n.t('Unstaged changes'),
      description: fileCountLabel(unstaged),
      ...(isPartial && { detail: l10n.t('Doesn’t include untracked files') }),
      icon: 'diff-modified',
      value: 'unstaged',
    },
  ];
}

async function commitRows(repository: GitRepository): Promise<readonly PickRow<Changes>[]> {
  const commits = await repository.log({ maxEntries: MAX_COMMITS }).catch(() => []);
  if (commits.length === 0) return [];
  return [
    { separator: l10n.t('Commits') },
    ...commits.map((commit) => ({
      label: plainLine(commit.message.trim().split('\n', 1).find(Boolean) ?? commit.hash, 80),
      description: [
        commit.hash.slice(0, 8),
        plainLine(commit.authorName ?? '', 40),
        commit.authorDate && formatRelative(commit.authorDate.getTime(), Date.now()),
      ]
        .filter(Boolean)
        .join(' · '),
      icon: 'git-commit',
      value: commit,
    })),
  ];
}

/** Git's hashes of an empty tree, by hash length (SHA-1, SHA-256). */
const EMPTY_TREE_HASHES: Readonly<Record<number, string>> = {
  40: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  64: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

/** Returns the patch of the changes. That of a commit is against its first parent, or against an empty tree. */
function patchFor(repository: GitRepository, changes: Changes): Promise<string> {
  if (typeof changes === 'string') return repository.diff(changes === 'staged');
  const { hash, parents } = changes;
  return repository.diffBlobs(parents[0] ?? EMPTY_TREE_HASHES[hash.length] ?? '', hash);
}

function itemOf({ repository, changes, patch, files }: Values): ContextItem {
  return {
    source: nameOf(repository),
    language: 'diff',
    text: files?.map(({ text }) => text).join('') ?? patch,
    ...labelAndNote(changes),
  };
}

/** The label is for the user. The note is not translated, because the intern reads it. */
function labelAndNote(changes: Changes): Pick<ContextItem, 'label' | 'note'> {
  if (changes === 'staged')
    return { label: l10n.t('Staged changes'), note: command('diff', '--cached') };
  if (changes === 'unstaged') return { label: l10n.t('Unstaged changes'), note: command('diff') };
  const { hash, message } = changes;
  return {
    label: l10n.t('Commit {0}', hash.slice(0, 8)),
    note: `${command('show', hash)}\n\n${message.trim()}`,
  };
}

function command(...words: readonly string[]): string {
  return ['git', ...words].join(' ');
}

/** Returns why the selected files do not fit into a prompt; undefined if they fit. */
function excess(values: Values): string | undefined {
  const length = itemCharacterCount(itemOf(values));
  if (length <= MAX_PROMPT_CHARACTERS) return undefined;
  return lengthMessage({ kind: 'too-long', length, max: MAX_PROMPT_CHARACTERS });
}

function nameOf({ rootUri }: GitRepository): string {
  return rootUri.path.split('/').findLast((part) => part !== '') ?? rootUri.path;
}

function noChangesMessage(): string {
  return l10n.t('These changes are empty. Nothing was added.');
}

function fileCountLabel(count: number): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', formatNumber(count));
}

function characterCountLabel(count: number): string {
  return count === 1 ? l10n.t('1 character') : l10n.t('{0} characters', formatNumber(count));
}

interface ChangedFile {
  /** The path after the change, or before it if the file is deleted. */
  readonly path: string;
  readonly text: string;
}

/** Splits a patch by Git into files. Binary files and renames have only a header. */
export function splitPatch(patch: string): readonly ChangedFile[] {
  const starts = [...patch.matchAll(/^diff --(?:git|cc|combined) /gmu)].map(({ index }) => index);
  const texts = starts.map((start, index) => patch.slice(start, starts[index + 1]));
  return texts.map((text) => ({ path: pathOf(text), text }));
}

function pathOf(text: string): string {
  const hunks = text.search(/^@@/mu);
  // The hunks may be large, so a short one replaces them. The parser ignores a header without one.
  const [file] = parseUnifiedDiff(hunks === -1 ? text : `${text.slice(0, hunks)}@@\n+`);
  const [first = ''] = text.split('\n', 1);
  // Binary files and mode changes have the path only here, twice.
  const [, path = first] = /^diff --git (?:a\/)?(.+) (?:b\/)?\1$/u.exec(first) ?? [];
  return file?.newPath ?? file?.oldPath ?? path;
}
