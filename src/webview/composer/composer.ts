import { MAX_PROMPT_CHARACTERS } from '../../base/limits.ts';
import type { HostMessages } from '../../protocol/messages.ts';
import type { DraftAttachmentView } from '../../protocol/view.ts';
import { post } from '../connection.ts';
import { h, iconButton, setAttribute, setHidden, setText, textBox, type Drawn } from '../dom.ts';
import { isSendKey, isStopAndSendKey, type Page } from '../page.ts';
import { isMac, isOfInputMethod } from '../keys.ts';
import { formatMessage } from '../localizer.ts';
import { acceptFiles, createAttachments } from './attachments.ts';
import { CompletionList } from './completion.ts';
import { ComposerDraft } from './draft.ts';
import { PromptRecall } from './recall.ts';

/** The share of the limit from which the count is shown. */
const COUNT_FROM_SHARE = 0.8;

/** The box in which a prompt is written. Only sending removes its text. */
export class Composer {
  readonly element = h('div', { class: 'composer' });
  readonly input: HTMLTextAreaElement;
  readonly completion: CompletionList;
  readonly recall: PromptRecall;
  readonly draft: ComposerDraft;
  readonly #page: Page;
  readonly #onSend: () => void;
  readonly #send: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #mode: HTMLSelectElement;
  readonly #count = h('span', { class: 'count' });
  readonly #hint = h('span', { id: 'composer-hint', class: 'hint' });
  #passingHint: string | undefined;
  readonly #cost = h('span', { class: 'cost', dir: 'auto' });
  readonly #attachments: Drawn<readonly DraftAttachmentView[]>;
  #hasBegun = false;
  /** True until the composer has lost the focus once. */
  #namesHelp = true;
  /** Unsaved edits of queued prompts. */
  #edits: readonly string[] = [];
  #hostAlive = true;

  /** @param onSend called before a prompt is sent that is not queued */
  constructor(page: Page, onSend: () => void) {
    this.#page = page;
    this.#onSend = onSend;
    const { strings } = page.localizer;
    this.input = textBox({ spellcheck: 'true', 'aria-describedby': 'composer-hint' });
    const changed = (): void => this.#handleChange();
    this.draft = new ComposerDraft(() => [...this.recall.unsent, ...this.#edits]);
    this.#send = iconButton('arrow-up', strings.send, () => this.#submit());
    this.#send.classList.add('send');
    const stop = (): void => post('act', { action: 'stop' });
    this.#stop = iconButton('stop-circle', strings.stop, stop);
    this.#stop.title = strings.stopRun;
    this.#mode = this.#modeSelect();
    this.#attachments = createAttachments(page, this.input);
    this.completion = new CompletionList(page, this.input, changed);
    this.recall = new PromptRecall(this.input, changed);
    this.element.append(this.#box(), h('div', { class: 'composer-foot' }, this.#hint, this.#cost));
    this.#listen();
  }

  get text(): string {
    return this.input.value;
  }

  /** Takes the earlier prompts. The first call also takes the draft of a page whose host died, else the host's. */
  begin({ savedState, view }: HostMessages['snapshot']): void {
    const stored = this.draft.takeStored(savedState.conversation);
    this.recall.begin(view.recall);
    if (!this.#hasBegun) this.input.value = stored ?? view.draft;
    this.#hasBegun = true;
    if (stored !== undefined) this.draft.save();
    this.#update();
  }

  handleStatusChange(): void {
    const { localizer, status } = this.#page;
    const { strings } = localizer;
    const { mode, selfDriveAllowed } = status;
    setAttribute(this.input, 'placeholder', formatMessage(strings.composer, status.internName));
    this.#setName();
    this.#mode.value = mode;
    this.#mode.title = selfDriveAllowed ? strings.approvalMode : strings.selfDriveNotAllowed;
    this.#mode.classList.toggle('self-drive', mode === 'self-drive');
    for (const option of this.#mode.options)
      option.disabled = option.value === 'self-drive' && !selfDriveAllowed;
    this.#attachments.draw(status.attachments);
    setText(this.#cost, status.cost);
    setAttribute(this.#cost, 'title', status.cost);
    this.#update();
  }

  setHostAlive(alive: boolean): void {
    this.#hostAlive = alive;
    this.#passingHint = undefined;
    this.draft.setHostAlive(alive);
    this.#update();
  }

  /** Appends text, or replaces the completed text or the whole draft, which ↑ recalls. */
  compose({ text, where }: HostMessages['compose']): void {
    if (where === 'completed') this.completion.insert(text);
    else {
      if (where === 'append') this.append(text);
      else this.#replace(text);
      this.input.setSelectionRange(this.text.length, this.text.length);
    }
    this.#handleChange();
    this.focus();
  }

  /** Appends text to the draft, without moving the caret or the focus. */
  append(text: string): void {
    const { length } = this.text;
    const gap = length === 0 || this.text.endsWith('\n') ? '' : '\n';
    this.input.setRangeText(gap + text, length, length, 'preserve');
    this.#handleChange();
  }

  /** Adds unsaved edits of queued prompts to the draft. */
  keepEdits(texts: readonly string[]): void {
    this.#edits = texts;
    this.#handleChange();
  }

  focus(): void {
    this.input.focus({ preventScroll: true });
  }

  /** Shows and announces a hint; undefined restores the usual hint. */
  showHint(hint: string | undefined): void {
    if (hint !== undefined) this.#page.announcer.interrupt(hint);
    this.#passingHint = hint;
    this.#update();
  }

  #box(): HTMLElement {
    const { strings } = this.#page.localizer;
    const attach = iconButton('add', strings.attach, () => post('pickAttachment', {}));
    attach.title = strings.attachHint;
    const more = menuButton(strings.moreSending, 'internsSend');
    const tools = h('div', { class: 'composer-tools' }, attach, this.#mode, this.#count);
    tools.append(this.#stop, this.#send, more);
    const prompt = h('div', { class: 'prompt' }, this.input);
    return h('div', { class: 'composer-box' }, this.#attachments.element, prompt, tools);
  }

  /** Creates the select for the approval mode. Its value only changes when the host confirms it. */
  #modeSelect(): HTMLSelectElement {
    const { approvalMode, manual, selfDrive } = this.#page.localizer.strings;
    const select = h(
      'select',
      { class: 'mode', 'aria-label': approvalMode },
      h('option', { value: 'manual' }, manual),
      h('option', { value: 'self-drive' }, selfDrive),
    );
    // Chromium reports the selection in a new select, and Orca takes it for the focus: it would say the mode instead of
    // the composer, and might be silent about the page from then on. One that starts disabled reports nothing.
    select.disabled = true;
    requestIdleCallback(() => (select.disabled = false));
    select.addEventListener('change', () => {
      const mode = select.value === 'self-drive' ? 'self-drive' : 'manual';
      select.value = this.#page.status.mode;
      post('setMode', { mode });
    });
    return select;
  }

  #listen(): void {
    this.input.addEventListener('input', () => this.#handleChange());
    this.input.addEventListener('keydown', (event) => this.#handleKey(event));
    this.input.addEventListener('blur', () => {
      this.#namesHelp = false;
      this.#setName();
    });
    const { onlyText } = this.#page.localizer.strings;
    acceptFiles(this.element, () => this.showHint(onlyText));
  }

  /** Names the help only once, since screen readers say the name each time. */
  #setName(): void {
    const { composer, composerWithHelp } = this.#page.localizer.strings;
    const name = this.#namesHelp ? composerWithHelp : composer;
    setAttribute(this.input, 'aria-label', formatMessage(name, this.#page.status.internName));
  }

  #handleKey(event: KeyboardEvent): void {
    if (isOfInputMethod(event) || event.defaultPrevented) return;
    if (this.completion.handleKey(event) || this.recall.handleKey(event)) return;
    const stopsRun = isStopAndSendKey(this.#page, event);
    if (!stopsRun && !isSendKey(this.#page, event)) return;
    event.preventDefault();
    // A held key would also send the draft that follows a recalled prompt.
    if (!event.repeat) this.#submit(stopsRun);
  }

  /** Stops the run and sends the text, or the first queued prompt if there is no text. */
  stopAndSend(): void {
    const [first] = this.#page.status.queue;
    if (this.text.trim() !== '') this.#submit(true);
    else if (first !== undefined) post('stopAndSendQueued', { id: first.id });
  }

  #submit(stopsRun = false): void {
    const { text } = this;
    const obstacle = this.#obstacle();
    if (obstacle !== undefined) {
      this.showHint(obstacle);
      return;
    }
    const isIdle = this.#page.status.activity === 'idle';
    // Unless the prompt is queued, its reply will appear at the end.
    if (isIdle || stopsRun) this.#onSend();
    post('send', stopsRun && !isIdle ? { text, stopsRun } : { text });
    this.input.value = this.recall.addSent(text);
    this.completion.close();
    this.draft.addPosted(text);
    // The host keeps the prompt as the draft until it is sent.
    if (this.draft.text !== '') this.draft.save();
    this.#update();
    this.focus();
  }

  #replace(text: string): void {
    for (const unsent of this.recall.unsent)
      if (unsent.trim() !== '' && unsent !== text) this.recall.remember(unsent);
    this.input.value = text;
  }

  /** Returns why the prompt cannot be sent now, if it cannot. */
  #obstacle(): string | undefined {
    const { localizer, status } = this.#page;
    const { strings } = localizer;
    if (!this.#hostAlive) return strings.hostGone;
    if (status.readOnly) return strings.conversationDeleted;
    if (this.text.trim() === '') return strings.promptEmpty;
    return this.#length() > MAX_PROMPT_CHARACTERS ? strings.promptTooLong : undefined;
  }

  /** The length of prompt and attachments in code points. */
  #length(): number {
    const { attachments } = this.#page.status;
    const attached = attachments.reduce((sum, { characters }) => sum + characters, 0);
    const units = this.text.length;
    return attached + (units > MAX_PROMPT_CHARACTERS / 2 ? Array.from(this.text).length : units);
  }

  #handleChange(): void {
    this.#passingHint = undefined;
    this.#update();
    this.draft.save();
  }

  #update(): void {
    const { localizer, status } = this.#page;
    const { strings } = localizer;
    const isIdle = status.activity === 'idle';
    this.#showCount();
    this.#send.disabled = this.#obstacle() !== undefined;
    setText(this.#hint, this.#passingHint ?? this.#sendHint());
    this.element.classList.toggle('passing-hint', this.#passingHint !== undefined);
    this.#send.title = isIdle ? strings.send : strings.sendLater;
    // The band of self-drive has its own Stop button.
    setHidden(this.#stop, isIdle || status.selfDriveBand !== null, this);
  }

  #showCount(): void {
    const { localizer, announcer } = this.#page;
    const { promptCount, promptTooLong } = localizer.strings;
    const length = this.#length();
    const isTooLong = length > MAX_PROMPT_CHARACTERS;
    const isNear = length >= MAX_PROMPT_CHARACTERS * COUNT_FROM_SHARE;
    const count = isNear
      ? formatMessage(promptCount, localizer.count(length), localizer.count(MAX_PROMPT_CHARACTERS))
      : '';
    setText(this.#count, isTooLong ? promptTooLong : count);
    this.#count.title = count;
    if (isTooLong && !this.#count.classList.contains('too-long')) announcer.say(promptTooLong);
    this.#count.classList.toggle('too-long', isTooLong);
  }

  #sendHint(): string {
    const { localizer, status } = this.#page;
    const { composerHint, composerHintCommand, composerHintCtrl } = localizer.strings;
    if (status.settings.sendWith === 'enter') return composerHint;
    return isMac() ? composerHintCommand : composerHintCtrl;
  }
}

/** Creates a button that opens the editor's own menu for a section of the page. */
function menuButton(label: string, webviewSection: string): HTMLButtonElement {
  const button = iconButton('chevron-down', label, () => {
    const { left, bottom } = button.getBoundingClientRect();
    const at = { clientX: left, clientY: bottom };
    button.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, ...at }));
  });
  button.setAttribute('aria-haspopup', 'menu');
  const menu = { webviewSection, preventDefaultContextMenuItems: true };
  button.dataset['vscodeContext'] = JSON.stringify(menu);
  return button;
}
