import * as vscode from 'vscode';
import { DisposableBase, type Disposable, Emitter } from '../../base/disposable.ts';
import type { PendingQuestions } from '../../conversation/questions/pendingQuestions.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { formatDateTime, formatNumber } from '../../platform/text/format.ts';
import { countLabel, listCounted } from '../questions/indicators.ts';
import type { InternServices } from '../interns/internModel.ts';
import { RowDecorations } from '../interns/rowDecorations.ts';
import type { ConversationList, ConversationRow } from './conversationList.ts';
import { conversationTooltip, conversationTreeItem } from './conversationRows.ts';
import type { ListedState } from './listOrder.ts';

/** How many rows are shown at first. Each `Show More` multiplies it by {@link ROWS_GROWTH}. */
const INITIAL_ROWS = 200;
const ROWS_GROWTH = 4;

/** How often ages and times left are drawn again while the view is visible, in ms. */
const AGE_INTERVAL_MS = 60_000;

/** The row Show More. Its target names no conversation: without a target, a command would act on the active chat. */
const MORE = { kind: 'more', intern: '', conversation: '' } as const;

type Row = ConversationRow | typeof MORE;

/** The conversations of all workspaces with one intern of an account, or that changed at or after a time, epoch ms. */
type ListFilter =
  { readonly intern: string; readonly account: string | undefined } | { readonly since: number };

interface ConversationsViewPorts extends Pick<
  InternServices,
  'accounts' | 'clock' | 'contextKeys' | 'interns' | 'refresh' | 'registrar'
> {
  readonly list: ConversationList;
  readonly pendingQuestions: Pick<PendingQuestions, 'listOpen' | 'onDidChange'>;
}

/** The Conversations view. Draws only the rows that changed, unless their order did. */
export class ConversationsView extends DisposableBase implements vscode.TreeDataProvider<Row> {
  readonly #ports: ConversationsViewPorts;
  readonly #changed = this.own(new Emitter<Row[] | undefined>());
  readonly #view: vscode.TreeView<Row>;
  readonly #decorations = this.own(new RowDecorations('conversation'));
  #filter: ListFilter | undefined;
  #limit = INITIAL_ROWS;
  /** The rows that VS Code has; undefined before it has asked. */
  #shown: readonly Row[] | undefined;
  #ageTimer: Disposable | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(ports: ConversationsViewPorts) {
    super();
    this.#ports = ports;
    const { list, interns, pendingQuestions, registrar, refresh } = ports;
    this.#view = this.own(
      vscode.window.createTreeView<Row>('interns.conversations', {
        treeDataProvider: this,
        canSelectMany: true,
      }),
    );
    this.own(this.#view.onDidChangeVisibility(({ visible }) => visible && refresh.fire()));
    this.own(pendingQuestions.onDidChange(() => this.#showBadge()));
    this.own(list.onDidChange((changed) => this.#handleChange(changed)));
    this.own(interns.onDidChange(() => this.#changed.fire(undefined)));
    this.own(this.#view.onDidChangeVisibility(() => this.#drawAges()));
    this.own({ dispose: () => this.#ageTimer?.dispose() });
    registrar.register({
      'interns.showConversations': ([target]) =>
        target && this.#show({ intern: target.intern, account: ports.accounts.active?.id }),
      'interns.clearFilter': () => this.#setFilter(undefined),
      'interns.showMore': () => this.#showMore(),
      'interns.markAllRead': async () => {
        if ((await list.markAllRead(this.#filtered())) > 0) return;
        void vscode.window.showInformationMessage(vscode.l10n.t('All conversations are read.'));
      },
      'interns.showAllWorkspaces': () => list.setScope('showsAllWorkspaces', true),
      'interns.showThisWorkspace': () => list.setScope('showsAllWorkspaces', false),
      'interns.showArchived': () => list.setScope('showsArchived', true),
      'interns.hideArchived': () => list.setScope('showsArchived', false),
    });
    this.#drawAges();
  }

  get selection(): readonly ConversationRow[] {
    return this.#view.selection.filter((row) => row.kind === 'conversation');
  }

  /** Lists what changed at or after a time, epoch ms, in all workspaces. */
  showChanges(since: number): Promise<void> {
    return this.#show({ since });
  }

  async getChildren(row?: Row): Promise<Row[]> {
    if (row !== undefined) return [];
    const { accounts, contextKeys, interns, list } = this.#ports;
    await accounts.whenLoaded;
    await list.load();
    if (this.#rows().length === 0) {
      // The text of the empty list depends on the interns. The view Interns reports it if they can't be read.
      const listed = await interns.list().catch(() => []);
      contextKeys.set('interns.hasInterns', listed.length > 0);
    }
    const rows = this.#rows();
    contextKeys.set('interns.noConversations', accounts.active !== undefined && rows.length === 0);
    // Without a change of its texts, VS Code lays out the first rows two seconds late after an empty list.
    if (this.#shown === undefined) this.#showTexts();
    this.#shown = rows;
    return rows;
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const { interns, list, clock } = this.#ports;
    if (row.kind === 'more') return moreTreeItem();
    const internName = (intern: string) => interns.name(intern);
    return conversationTreeItem(row, { internName, scope: list.scope, now: clock.now() });
  }

  async resolveTreeItem(item: vscode.TreeItem, row: Row): Promise<vscode.TreeItem> {
    if (row.kind === 'more') return item;
    const details = await this.#ports.list.details(row.conversation);
    if (details !== undefined) item.tooltip = conversationTooltip(row.head, details);
    return item;
  }

  async #show(filter: ListFilter): Promise<void> {
    await this.#ports.list.load();
    this.#setFilter(filter);
    await vscode.commands.executeCommand('interns.conversations.focus');
  }

  #setFilter(filter: ListFilter | undefined): void {
    this.#filter = filter;
    this.#limit = INITIAL_ROWS;
    this.#ports.contextKeys.set('interns.conversationsFiltered', filter !== undefined);
    this.#showTexts();
    this.#changed.fire(undefined);
  }

  #showMore(): void {
    this.#limit *= ROWS_GROWTH;
    this.#changed.fire(undefined);
  }

  #showTexts(): void {
    const { l10n } = vscode;
    const filter = this.#filter;
    const isSummary = filter !== undefined && 'since' in filter;
    const count = this.#filtered().length;
    this.#view.title = isSummary
      ? l10n.t('Activity Summary ({0})', formatNumber(count))
      : l10n.t('Conversations');
    if (isSummary) {
      const since = formatDateTime(filter.since);
      this.#view.message =
        count > 0 ? l10n.t('Changed since {0}', since) : l10n.t('Nothing changed since {0}', since);
    } else if (filter === undefined) this.#view.message = '';
    else {
      const name = plainLine(this.#ports.interns.name(filter.intern), 40);
      this.#view.message = l10n.t('Only conversations with {0}', name);
    }
  }

  #filtered(): readonly ConversationRow[] {
    const { list } = this.#ports;
    const filter = this.#filter;
    if (filter === undefined) return list.listed;
    return 'intern' in filter
      ? list.ofAllWorkspaces.filter(({ intern }) => intern === filter.intern)
      : list.changedSince(filter.since);
  }

  #rows(): Row[] {
    const rows = this.#filtered();
    return rows.length > this.#limit ? [...rows.slice(0, this.#limit), MORE] : [...rows];
  }

  #handleChange(changed: ReadonlySet<Row>): void {
    const { accounts, list } = this.#ports;
    const filter = this.#filter;
    if (filter !== undefined && 'intern' in filter && filter.account !== accounts.active?.id)
      this.#setFilter(undefined);
    this.#showBadge();
    this.#decorations.update(list.all.map((row) => [row.conversation, decorationOf(row)]));
    if (this.#filter !== undefined) this.#showTexts();
    if (this.#shown === undefined) return;
    const rows = this.#rows();
    const isSameOrder =
      rows.length === this.#shown.length && rows.every((row, at) => row === this.#shown?.[at]);
    const drawn = isSameOrder ? rows.filter((row) => changed.has(row)) : undefined;
    if (drawn === undefined || drawn.length > 0) this.#changed.fire(drawn);
  }

  /** Shows a number on the container's icon: questions that wait, and other conversations with something new. */
  #showBadge(): void {
    const { list, pendingQuestions } = this.#ports;
    const waiting = listCounted(pendingQuestions).length;
    const isNew = ({ isUnread, state }: ConversationRow) => isUnread && state !== 'waiting';
    const unread = list.listed.filter(isNew).length;
    const labels = [waiting > 0 && countLabel(waiting), unread > 0 && unreadLabel(unread)];
    const value = waiting + unread;
    this.#view.badge =
      value === 0 ? undefined : { value, tooltip: labels.filter(Boolean).join('\n') };
  }

  /** Draws ages and times left, now and once a minute while the view is visible. */
  #drawAges(): void {
    this.#ageTimer?.dispose();
    if (!this.#view.visible) return;
    this.#ageTimer = this.#ports.clock.setTimeout(() => this.#drawAges(), AGE_INTERVAL_MS);
    if (this.#shown === undefined) return;
    void this.#ports.list.checkRuns();
    this.#changed.fire([...this.#shown]);
  }
}

function unreadLabel(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 unread conversation')
    : vscode.l10n.t('{0} unread conversations', formatNumber(count));
}

function moreTreeItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Show More…'));
  item.id = MORE.kind;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: 'interns.showMore', title: vscode.l10n.t('Show More…') };
  return item;
}

const STATE_COLORS: Readonly<Partial<Record<ListedState['state'], string>>> = {
  waiting: 'list.warningForeground',
  failed: 'list.errorForeground',
};

/** The dot says unread; the color repeats what icon and words say. */
function decorationOf({ state, isUnread }: ListedState): vscode.FileDecoration | undefined {
  const { l10n, FileDecoration, ThemeColor } = vscode;
  if (!isUnread && state !== 'waiting') return undefined;
  const color = STATE_COLORS[state];
  return new FileDecoration(
    isUnread ? '●' : '?',
    isUnread ? l10n.t('unread') : l10n.t('A question is waiting for you'),
    color === undefined ? undefined : new ThemeColor(color),
  );
}
