import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { checkPrompt } from '../../api/index.ts';
import { Emitter } from '../../base/event.ts';
import {
  charactersOf,
  composePrompt,
  fenceLanguage,
  labelOf,
  sizeOf,
  type ContextItem,
} from '../../chat/attachments.ts';
import type { Prompt } from '../../chat/conversation/state.ts';
import type { CompletionItem } from '../../protocol/messages.ts';
import type { DraftAttachmentView } from '../../protocol/view.ts';
import { plainLine } from '../dialogs/plainText.ts';
import { formatNumber } from '../words/format.ts';
import type { AttachmentStore } from './attachmentStore.ts';
import type { FileCompletions } from './fileCompletions.ts';
import { fileProblemSentence, readFileText } from './fileText.ts';
import { displayPath, parseFileUri } from './places.ts';
import type { PromptContext } from './promptContext.ts';

export interface ConversationAttachmentsOptions {
  readonly store: AttachmentStore;
  readonly completions: FileCompletions;
  /** What stands in the composer now: it counts toward the limit too. */
  readonly draft: () => string;
  /** Tells the user why something was not attached: plain sentences. */
  readonly tell: (message: string) => void;
}

interface Attached {
  readonly id: string;
  readonly item: ContextItem;
}

/**
 * What is attached to the prompt of one conversation. An item is a copy of the text at the time when it was attached:
 * its chip tells what will be sent, whatever happens to the file.
 */
export class ConversationAttachments implements PromptContext {
  readonly #options: ConversationAttachmentsOptions;
  readonly #changed = new Emitter<void>();
  readonly #adding = new Set<Promise<void>>();
  #attached: readonly Attached[];

  readonly onDidChange = this.#changed.event;

  constructor(options: ConversationAttachmentsOptions) {
    this.#options = options;
    this.#attached = options.store.load().map((item) => ({ id: randomUUID(), item }));
  }

  get attachments(): readonly DraftAttachmentView[] {
    return this.#attached.map(({ id, item }) => ({
      id,
      label: labelOf(item),
      size: sizeOf(item),
      characters: charactersOf(item),
    }));
  }

  compose(text: string): Prompt {
    return composePrompt(
      text,
      this.#attached.map(({ item }) => item),
    );
  }

  add(item: ContextItem): boolean {
    return this.#addAll([item], []);
  }

  remove(id: string): void {
    this.#set(this.#attached.filter((attached) => attached.id !== id));
  }

  clear(): void {
    this.#set([]);
  }

  async pick(): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const uris = await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Attach Files'),
      openLabel: vscode.l10n.t('Attach'),
      canSelectMany: true,
      ...(folder && { defaultUri: folder }),
    });
    await this.addFiles(uris ?? []);
  }

  async drop(uris: readonly string[]): Promise<void> {
    const parsed = uris.map((text) => parseFileUri(text)).filter((uri) => uri !== undefined);
    if (parsed.length === 0 && uris.length > 0)
      this.#tell([vscode.l10n.t('Only files can be attached.')]);
    await this.addFiles(parsed);
  }

  complete(query: string): Promise<readonly CompletionItem[]> {
    return this.#options.completions.find(query);
  }

  async attachCompletion(id: string): Promise<void> {
    const uri = this.#options.completions.get(id);
    if (uri !== undefined) await this.addFiles([uri]);
  }

  addFiles(uris: readonly vscode.Uri[]): Promise<void> {
    const adding = this.#readAndAdd(uris).finally(() => this.#adding.delete(adding));
    this.#adding.add(adding);
    return adding;
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#adding);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #readAndAdd(uris: readonly vscode.Uri[]): Promise<void> {
    const read = await Promise.all(uris.map(readItem));
    const items = read.filter((result) => typeof result !== 'string');
    this.#addAll(
      items,
      read.filter((result) => typeof result === 'string'),
    );
  }

  /** @returns whether all were attached. */
  #addAll(items: readonly ContextItem[], refusals: readonly string[]): boolean {
    const told = [...refusals];
    let attached = this.#attached;
    for (const item of items) {
      const next = withItem(attached, item);
      const refusal = this.#refusal(next, item);
      if (refusal === undefined) attached = next;
      else told.push(refusal);
    }
    if (attached !== this.#attached) this.#set(attached);
    this.#tell(told);
    return told.length === 0;
  }

  /** The limit of a prompt is in characters (interface: Chat message, `user`). */
  #refusal(attached: readonly Attached[], item: ContextItem): string | undefined {
    const items = attached.map((each) => each.item);
    const problem = checkPrompt(composePrompt(this.#options.draft(), items).sent);
    if (problem?.kind !== 'too-long') return undefined;
    return vscode.l10n.t(
      '{0} was not attached: with it the prompt would have {1} characters, and at most {2} are allowed.',
      plainLine(labelOf(item), 120),
      formatNumber(problem.length),
      formatNumber(problem.max),
    );
  }

  #set(attached: readonly Attached[]): void {
    this.#attached = attached;
    this.#options.store.save(attached.map(({ item }) => item));
    this.#changed.fire();
  }

  #tell(refusals: readonly string[]): void {
    const [first, ...others] = refusals;
    if (first === undefined) return;
    const more = vscode.l10n.t('{0} more were not attached either.', formatNumber(others.length));
    this.#options.tell(others.length === 0 ? first : `${first} ${more}`);
  }
}

/** The item in place of its earlier copy, else at the end. */
function withItem(attached: readonly Attached[], item: ContextItem): readonly Attached[] {
  const index = attached.findIndex((each) => isCopy(each.item, item));
  const added = { id: randomUUID(), item };
  return index === -1 ? [...attached, added] : attached.with(index, added);
}

/** Whether one replaces the other: the same file as a whole, or the same words of the same place. */
function isCopy(a: ContextItem, b: ContextItem): boolean {
  if (labelOf(a) !== labelOf(b)) return false;
  const isWhole = b.lines === undefined && b.label === undefined;
  return isWhole || a.text === b.text;
}

/** A whole file as an item, or why it cannot be one. */
async function readItem(uri: vscode.Uri): Promise<ContextItem | string> {
  const source = displayPath(uri);
  const read = await readFileText(uri);
  if (!read.ok) return fileProblemSentence(read.error, source);
  const language = fenceLanguage(source, read.value.languageId);
  return { source, text: read.value.text, ...(language !== undefined && { language }) };
}
