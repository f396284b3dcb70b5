import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { checkPrompt } from '../../api/index.ts';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import {
  itemCharacterCount,
  composePrompt,
  fenceLanguage,
  itemLabel,
  type ContextItem,
} from '../../conversation/attachments.ts';
import type { Prompt } from '../../conversation/messages.ts';
import type { DraftAttachmentView } from '../../protocol/view.ts';
import { confirm } from '../../platform/dialogs/confirm.ts';
import type { TextEditing } from '../../platform/dialogs/editText.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { warn } from '../../platform/dialogs/statusMessage.ts';
import { formatNumber, formatSentences } from '../../platform/text/format.ts';
import { readFileText } from './fileText.ts';
import { displayPath, parseFileUri } from './fileUris.ts';
import { findSensitiveFiles, type SensitiveFile } from './privateFiles.ts';

interface PromptContextPorts {
  /** The drafts keep the attachments over a reload of the window. Their text counts toward the limit. */
  readonly drafts: {
    get(conversation: string): { readonly text: string; readonly attached: readonly ContextItem[] };
    set(conversation: string, change: { readonly attached: readonly ContextItem[] }): void;
  };
  readonly texts: Pick<TextEditing, 'editText' | 'show' | 'unusedName'>;
}

/** Limits the memory and the open files, since a user may select thousands of files, of which only a few fit. */
const MAX_FILES_READ_AT_ONCE = 16;

interface Attached extends ContextItem {
  readonly id: string;
}

/**
 * The attachments of a conversation's draft. An item holds the text from when it was attached. Files that cannot be
 * attached are reported to the user; no method rejects.
 */
export class PromptContext extends DisposableBase {
  readonly #conversation: string;
  readonly #ports: PromptContextPorts;
  readonly #changed = this.own(new Emitter<void>());
  readonly #adding = new Set<Promise<void>>();
  /** The tabs of attachments that are being edited, keyed by ID. */
  readonly #editing = new Map<
    string,
    { readonly name: string; readonly closing: AbortController }
  >();
  readonly #unchecked: vscode.Uri[] = [];
  #checking: Promise<void> | undefined;
  #isAsking = false;
  #attached: readonly Attached[];

  readonly onDidChange = this.#changed.event;

  constructor(conversation: string, ports: PromptContextPorts) {
    super();
    this.#conversation = conversation;
    this.#ports = ports;
    const { attached } = ports.drafts.get(conversation);
    this.#attached = attached.map((item) => ({ ...item, id: randomUUID() }));
  }

  get attachments(): readonly DraftAttachmentView[] {
    return this.#attached.map((item) => ({
      id: item.id,
      label: itemLabel(item),
      characters: itemCharacterCount(item),
    }));
  }

  compose(text: string): Prompt {
    return composePrompt(text, this.#attached);
  }

  /** Attaches an item, or replaces an earlier copy. Warns if the prompt would exceed 32,000 characters. */
  add(item: ContextItem): void {
    showRefusals(this.#addAll([item]));
  }

  remove(id: string): void {
    this.#set(this.#attached.filter((attached) => attached.id !== id));
  }

  /** Opens an attachment's text in an editor tab. Returns whether the user then used or discarded the text. */
  async edit(id: string): Promise<boolean> {
    const { texts } = this.#ports;
    const item = this.#attached.find((each) => each.id === id);
    if (item === undefined) return false;
    const open = this.#editing.get(id);
    if (open !== undefined) {
      await texts.show(open.name);
      return false;
    }
    const name = texts.unusedName(itemLabel(item));
    const closing = new AbortController();
    this.#editing.set(id, { name, closing });
    const withText = (text: string) =>
      this.#attached.map((each) => (each.id === id ? { ...item, text } : each));
    const edited = texts.editText({
      name,
      text: item.text,
      signal: closing.signal,
      problem: (changed) => this.#refusal(withText(changed), item),
    });
    const { kind, text } = await edited.finally(() => this.#editing.delete(id));
    if (kind === 'used') this.#set(withText(text));
    return kind !== 'closed';
  }

  clear(): void {
    this.#set([]);
  }

  /** Closes the tabs of attachments that are being edited. */
  closeTabs(): void {
    for (const { closing } of this.#editing.values()) closing.abort();
  }

  /** Attaches files that the user selects in VS Code's dialog. */
  async pickFiles(): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const uris = await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Attach Files'),
      openLabel: vscode.l10n.t('Attach'),
      canSelectMany: true,
      ...(folder && { defaultUri: folder }),
    });
    await this.addFiles(uris ?? []);
  }

  /** Attaches files by their URIs, dropped onto the page. */
  async addDroppedFiles(uris: readonly string[]): Promise<void> {
    const parsed = uris.map((text) => parseFileUri(text)).filter((uri) => uri !== undefined);
    if (parsed.length === 0 && uris.length > 0)
      showRefusals([vscode.l10n.t('Only files can be attached.')]);
    await this.addForPage(parsed);
  }

  /** Attaches whole files that can be read and fit, inside the workspace or not, without asking. */
  addFiles(uris: readonly vscode.Uri[]): Promise<void> {
    const adding = this.#readAndAdd(uris).finally(() => this.#adding.delete(adding));
    this.#adding.add(adding);
    return adding;
  }

  async whenSettled(): Promise<void> {
    await Promise.allSettled([this.#checking, ...this.#adding]);
  }

  /**
   * Attaches files that the page names. Asks about those that may be private, because the page shows untrusted text. While
   * the user is asked, further files of the page are ignored.
   */
  async addForPage(uris: readonly vscode.Uri[]): Promise<void> {
    if (this.#isAsking) return;
    this.#unchecked.push(...uris);
    this.#checking ??= this.#checkFiles().finally(() => (this.#checking = undefined));
    await this.#checking;
  }

  async #checkFiles(): Promise<void> {
    while (this.#unchecked.length > 0) {
      const uris = this.#unchecked.splice(0);
      const sensitive = await findSensitiveFiles(uris);
      const isConfirmed = sensitive.length === 0 || (await this.#ask(sensitive));
      const refused = new Set(isConfirmed ? [] : sensitive.map(({ uri }) => uri));
      await this.addFiles(uris.filter((uri) => !refused.has(uri)));
    }
  }

  #ask(sensitive: readonly SensitiveFile[]): Promise<boolean> {
    this.#isAsking = true;
    return confirmSensitive(sensitive).finally(() => (this.#isAsking = false));
  }

  async #readAndAdd(uris: readonly vscode.Uri[]): Promise<void> {
    const refusals: string[] = [];
    for (let start = 0; start < uris.length; start += MAX_FILES_READ_AT_ONCE) {
      const part = uris.slice(start, start + MAX_FILES_READ_AT_ONCE);
      const read = await Promise.all(part.map(readItem));
      const items = read.filter((result) => typeof result !== 'string');
      refusals.push(...read.filter((result) => typeof result === 'string'), ...this.#addAll(items));
    }
    showRefusals(refusals);
  }

  /** Attaches the items that fit. Returns why the others do not. */
  #addAll(items: readonly ContextItem[]): readonly string[] {
    const refusals: string[] = [];
    let attached = this.#attached;
    for (const item of items) {
      const next = this.#withItem(attached, item);
      const refusal = this.#refusal(next, item);
      if (refusal === undefined) attached = next;
      else refusals.push(refusal);
    }
    if (attached !== this.#attached) this.#set(attached);
    return refusals;
  }

  /** Replaces the same whole file or the same selection, else adds the item at the end. */
  #withItem(attached: readonly Attached[], item: ContextItem): readonly Attached[] {
    const isWholeFile = item.lines === undefined && item.label === undefined;
    const index = attached.findIndex(
      (each) => itemLabel(each) === itemLabel(item) && (isWholeFile || each.text === item.text),
    );
    const known = attached[index]?.id ?? '';
    // The page announces an attachment with a new ID. The tab of a copy that is being edited needs the same one.
    const added = { ...item, id: this.#editing.has(known) ? known : randomUUID() };
    return index === -1 ? [...attached, added] : attached.with(index, added);
  }

  /** Returns why the prompt is too long (interface: Chat message, `user`); undefined if it fits. */
  #refusal(attached: readonly Attached[], item: ContextItem): string | undefined {
    const { text } = this.#ports.drafts.get(this.#conversation);
    const problem = checkPrompt(composePrompt(text, attached).sent);
    if (problem?.kind !== 'too-long') return undefined;
    return vscode.l10n.t(
      'Couldn’t attach {0}. The prompt would have {1} characters. At most {2} are allowed.',
      plainLine(itemLabel(item), 120),
      formatNumber(problem.length),
      formatNumber(problem.max),
    );
  }

  #set(attached: readonly Attached[]): void {
    this.#attached = attached;
    for (const [id, { closing }] of this.#editing)
      if (!attached.some((each) => each.id === id)) closing.abort();
    const items = attached.map(({ id: _id, ...item }) => item);
    this.#ports.drafts.set(this.#conversation, { attached: items });
    this.#changed.fire();
  }
}

function showRefusals(refusals: readonly string[]): void {
  const [first, ...others] = refusals;
  if (first === undefined) return;
  const more =
    others.length === 1
      ? vscode.l10n.t('1 more item wasn’t attached.')
      : vscode.l10n.t('{0} more items weren’t attached.', formatNumber(others.length));
  warn(formatSentences([first, others.length > 0 && more]));
}

/** Returns a whole file as an item, or why it cannot be attached. */
async function readItem(uri: vscode.Uri): Promise<ContextItem | string> {
  const source = displayPath(uri);
  const read = await readFileText(uri);
  if (!read.ok) return read.error;
  const language = fenceLanguage(source, read.value.languageId);
  return { source, text: read.value.text, ...(language !== undefined && { language }) };
}

export class PromptContexts extends DisposableBase {
  readonly #ports: PromptContextPorts;
  readonly #contexts = new Map<string, PromptContext>();

  constructor(ports: PromptContextPorts) {
    super();
    this.#ports = ports;
  }

  for(conversation: string): PromptContext {
    const known = this.#contexts.get(conversation);
    if (known !== undefined) return known;
    const context = this.own(new PromptContext(conversation, this.#ports));
    this.#contexts.set(conversation, context);
    return context;
  }

  /** Forgets the attachments of a deleted conversation. If it is restored, they are read from its draft. */
  forget(conversation: string): void {
    const context = this.#contexts.get(conversation);
    context?.closeTabs();
    context?.dispose();
    this.#contexts.delete(conversation);
  }
}

/** Maximum number of files that the question names. Further ones are counted. */
const MAX_NAMED_FILES = 10;

function confirmSensitive(files: readonly SensitiveFile[]): Promise<boolean> {
  const named = files.slice(0, MAX_NAMED_FILES).map(nameOf);
  const others = files.length - named.length;
  if (others > 0) named.push(vscode.l10n.t('and {0} more', formatNumber(others)));
  return confirm(questionAbout(files), named.join('\n'), vscode.l10n.t('Attach'));
}

function questionAbout(files: readonly SensitiveFile[]): string {
  const count = formatNumber(files.length);
  if (files.every(({ why }) => why === 'outside'))
    return files.length === 1
      ? vscode.l10n.t('Attach a file from outside the workspace?')
      : vscode.l10n.t('Attach {0} files from outside the workspace?', count);
  return files.length === 1
    ? vscode.l10n.t('Attach a file that may be private?')
    : vscode.l10n.t('Attach {0} files that may be private?', count);
}

function nameOf({ path, why }: SensitiveFile): string {
  const name = plainLine(path, 200);
  if (why === 'ignored') return vscode.l10n.t('{0} (ignored by Git)', name);
  return why === 'maybe-ignored' ? vscode.l10n.t('{0} (may be ignored by Git)', name) : name;
}
