import { MAX_PROMPT_CHARACTERS } from '../../base/limits.ts';
import type { HostMessages } from '../../protocol/messages.ts';
import type { StatusView } from '../../protocol/view.ts';
import { h, icon, iconButton, setAttribute, setHidden, setText } from '../dom.ts';
import type { Page } from '../page.ts';
import { fill } from '../words.ts';
import { Attachments } from './attachments.ts';
import { Completion } from './completion.ts';
import { acceptDrops } from './drop.ts';
import { ModeSelect } from './modeSelect.ts';
import { OrphanDraft } from './orphanDraft.ts';
import { Recall } from './recall.ts';
import { UnconfirmedTexts } from './unconfirmed.ts';

/** The count is shown from this share of the limit on. */
const countFrom = 0.8;
/** How soon after a key the draft is told to the host, in milliseconds. */
const draftDelay = 200;

/** Where a prompt is written. Its text is the user's: nothing but sending it ever takes it away. */
export class Composer {
  readonly element: HTMLFormElement;
  readonly input: HTMLTextAreaElement;
  readonly completion: Completion;
  readonly recall: Recall;
  readonly #page: Page;
  readonly #onChange: () => void;
  readonly #send: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #mode: ModeSelect;
  readonly #count: HTMLElement;
  readonly #hint: HTMLElement;
  #passingHint: string | undefined;
  readonly #cost = h('span', { class: 'cost', dir: 'auto' });
  readonly #attachments: Attachments;
  readonly #orphan = new OrphanDraft();
  readonly #unconfirmed = new UnconfirmedTexts();
  /** What stood here before texts came back that a silent host may not have, and with them. */
  #takenBack: { readonly before: string; readonly after: string } | undefined;
  #hasBegun = false;
  /** What is typed into prompts that wait, and not saved yet. */
  #edits: readonly string[] = [];
  #status: StatusView | undefined;
  #hostAlive = true;
  #draftTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param onChange called whenever the text may have changed, typed or not */
  constructor(page: Page, onChange: () => void) {
    this.#page = page;
    this.#onChange = onChange;
    const { strings } = page.words;
    this.input = h('textarea', {
      rows: 1,
      dir: 'auto',
      spellcheck: 'true',
      'aria-describedby': 'composer-hint',
    });
    const labelled = (symbol: string, label: string) => [
      icon(symbol),
      h('span', { class: 'label' }, label),
    ];
    this.#send = h('button', { class: 'button primary send', type: 'submit' });
    this.#send.append(...labelled('send', strings.send));
    this.#stop = h('button', { class: 'button secondary stop', type: 'button' });
    this.#stop.append(...labelled('debug-stop', strings.stop));
    this.#stop.title = strings.stopRun;
    this.#stop.addEventListener('click', () => page.post('stop', {}));
    this.#mode = new ModeSelect(page);
    this.#count = h('span', { class: 'count' });
    this.#hint = h('span', { id: 'composer-hint', class: 'hint' });
    this.#attachments = new Attachments(page, this.input);
    this.completion = new Completion(page, this.input, () => this.#changed());
    this.recall = new Recall(this.input, {
      changed: () => this.#changed(),
      isUsedUp: () => page.post('recall', {}),
    });
    this.element = h('form', { class: 'composer' });
    this.element.append(this.#box(), h('div', { class: 'composer-foot' }, this.#hint, this.#cost));
    this.#listen();
  }

  get text(): string {
    return this.input.value;
  }

  /**
   * Begins with a draft and the prompts that were sent before. What a page has left whose host had died takes the
   * draft's place, and once begun, what stands here does.
   */
  begin(draft: string, recall: readonly string[]): void {
    const orphan = this.#orphan.take();
    this.recall.begin(recall);
    if (!this.#hasBegun) {
      this.input.value = orphan ?? draft;
      this.#hasBegun = true;
    }
    if (orphan !== undefined) this.#postDraft();
    this.#update();
  }

  /** @param id the conversation that the prompts are for */
  setConversation(id: string): void {
    this.#orphan.begin(id);
  }

  setStatus(status: StatusView): void {
    const { strings } = this.#page.words;
    this.#status = status;
    const name = fill(strings.composer, status.internName);
    setAttribute(this.input, 'aria-label', name);
    setAttribute(this.input, 'placeholder', name);
    this.#mode.setStatus(status);
    this.#attachments.set(status.attachments);
    setText(this.#cost, status.cost);
    setAttribute(this.#cost, 'title', status.cost);
    this.#update();
  }

  setHostAlive(alive: boolean): void {
    this.#hostAlive = alive;
    if (alive) this.#orphan.forget();
    else this.#takeBack();
    this.#postDraft();
    this.#update();
  }

  /** @param at before which the host has what was posted, in milliseconds of the page's clock */
  confirm(at: number): void {
    this.#unconfirmed.confirm(at);
    if (this.#takenBack === undefined || this.#unconfirmed.text !== '') return;
    // The host was silent, not dead, and has sent them.
    if (this.text === this.#takenBack.after) this.input.value = this.#takenBack.before;
    this.#takenBack = undefined;
    this.#changed();
  }

  /** Puts text in place of the draft, which ↑ brings back, at its end, or in place of what was completed. */
  compose(text: string, where: HostMessages['compose']['where']): void {
    if (where === 'completed') this.completion.insert(text);
    else {
      if (where === 'append') this.append(text);
      else this.#replace(text);
      this.input.setSelectionRange(this.text.length, this.text.length);
    }
    this.#changed();
    this.focus();
  }

  /** Puts text at the end of the draft, and leaves the caret and the focus where they are. */
  append(text: string): void {
    const { length } = this.text;
    const gap = length === 0 || this.text.endsWith('\n') ? '' : '\n';
    this.input.setRangeText(gap + text, length, length, 'preserve');
    this.#changed();
  }

  /** Keeps what is typed elsewhere in the page with the draft, for as long as it is not saved. */
  keepEdits(texts: readonly string[]): void {
    this.#edits = texts;
    this.#changed();
  }

  /** Keeps a text that was posted, until the host is known to have it. */
  addUnconfirmed(text: string): void {
    this.#unconfirmed.add(text);
  }

  focus(): void {
    this.input.focus({ preventScroll: true });
  }

  /** Shows a hint in place of the usual one, and says it; undefined shows that again. */
  showHint(hint: string | undefined): void {
    if (hint !== undefined) this.#page.announcer.interrupt(hint);
    this.#passingHint = hint;
    this.#update();
  }

  /** Posts the draft now, before the page may go away. */
  flush(): void {
    if (this.#draftTimer !== undefined) this.#postDraft();
  }

  #box(): HTMLElement {
    const { strings } = this.#page.words;
    const attach = iconButton('attach', strings.attach, () =>
      this.#page.post('pickAttachment', {}),
    );
    attach.title = strings.attachHint;
    const buttons = h('div', { class: 'composer-buttons' }, this.#stop, this.#send);
    const tools = h('div', { class: 'composer-tools' }, attach, this.#mode.element, this.#count);
    tools.append(buttons);
    const prompt = this.completion.combobox;
    return h('div', { class: 'composer-box' }, this.#attachments.element, prompt, tools);
  }

  #listen(): void {
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.input.addEventListener('input', () => this.#changed());
    this.input.addEventListener('keydown', (event) => this.#keyPressed(event));
    this.input.addEventListener('blur', () => this.flush());
    acceptDrops(this.element, this.#page);
  }

  #keyPressed(event: KeyboardEvent): void {
    // Enter that ends a composition belongs to the input method; some say so by the key alone.
    if (event.isComposing || event.key === 'Process' || event.defaultPrevented) return;
    if (this.completion.keyPressed(event) || this.recall.keyPressed(event)) return;
    if (!this.#page.sendKey.isPressed(event)) return;
    event.preventDefault();
    this.#submit();
  }

  #submit(): void {
    const { text } = this;
    if (!this.#canSend()) return;
    this.#page.post('send', { text });
    this.addUnconfirmed(text);
    this.input.value = this.recall.sent(text);
    clearTimeout(this.#draftTimer);
    this.#draftTimer = undefined;
    // The prompt stays the draft until the host, which alone knows when it is on its way, has sent it.
    if (this.#draft !== '') this.#postDraft();
    this.#update();
    this.focus();
  }

  #replace(text: string): void {
    const { own } = this.recall;
    if (own.trim() !== '' && own !== text) this.recall.remember(own);
    this.input.value = text;
  }

  /** Puts texts that the host may not have before what was written since. */
  #takeBack(): void {
    const { text } = this.#unconfirmed;
    if (text === '' || this.#takenBack !== undefined) return;
    const before = this.text;
    this.input.setRangeText(
      before === '' ? text : `${text}\n`,
      0,
      0,
      before === '' ? 'end' : 'preserve',
    );
    this.#takenBack = { before, after: this.text };
  }

  #canSend(): boolean {
    const mayTake = this.#hostAlive && this.#status?.readOnly === false;
    return mayTake && this.text.trim() !== '' && this.#length() <= MAX_PROMPT_CHARACTERS;
  }

  /** What would be lost with the page. */
  get #draft(): string {
    return [...this.recall.unsent, ...this.#edits].filter((text) => text !== '').join('\n');
  }

  /** The prompt's length in characters (code points), with what is attached. */
  #length(): number {
    const attachments = this.#status?.attachments ?? [];
    const attached = attachments.reduce((sum, { characters }) => sum + characters, 0);
    const units = this.text.length;
    return attached + (units > MAX_PROMPT_CHARACTERS / 2 ? Array.from(this.text).length : units);
  }

  #changed(): void {
    this.#update();
    // Not put off by the next key: whoever types without a pause would lose it all with the window.
    this.#draftTimer ??= setTimeout(() => this.#postDraft(), draftDelay);
  }

  #postDraft(): void {
    clearTimeout(this.#draftTimer);
    this.#draftTimer = undefined;
    if (this.#hostAlive) this.#page.post('draft', { text: this.#draft });
    else this.#orphan.keep(this.#draft);
  }

  #update(): void {
    const length = this.#length();
    const tooLong = length > MAX_PROMPT_CHARACTERS;
    const isNear = length >= MAX_PROMPT_CHARACTERS * countFrom;
    const count = isNear ? this.#countOf(length) : '';
    setText(this.#count, tooLong ? this.#page.words.strings.promptTooLong : count);
    this.#count.title = count;
    if (tooLong && !this.#count.classList.contains('too-long'))
      this.#page.announcer.say(this.#page.words.strings.promptTooLong);
    this.#count.classList.toggle('too-long', tooLong);
    this.#send.disabled = !this.#canSend();
    const canStop = this.#status?.canStop === true;
    const { strings } = this.#page.words;
    setText(this.#hint, this.#passingHint ?? this.#page.sendKey.hint(strings));
    this.#send.title = canStop ? strings.sendLater : strings.send;
    // The band of self-drive has the button then: there is one Stop at a time.
    setHidden(this.#stop, !canStop || (this.#status?.selfDriveBand ?? null) !== null, this);
    this.#onChange();
  }

  #countOf(length: number): string {
    const { words } = this.#page;
    return fill(words.strings.promptCount, words.count(length), words.count(MAX_PROMPT_CHARACTERS));
  }
}
