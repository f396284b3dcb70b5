import type { MessageView, ScrollPlace } from '../../protocol/view.ts';
import { Frames } from '../frames.ts';
import { h, icon, setText } from '../dom.ts';
import type { Page } from '../page.ts';
import { fill } from '../words.ts';
import { Follow } from './follow.ts';
import { drawMessage } from './messages.ts';
import type { MessageDrawing } from './messages.ts';
import { PlaceKeeper, readPlace } from './place.ts';

/** Messages that a group holds. The browser skips layout and paint of groups that are out of sight. */
const messagesPerGroup = 20;
/** Messages that are drawn at first: about what a panel shows. */
const firstBatch = 4;
/** Messages that are drawn each time the reader comes near the first one drawn. */
const messagesPerBatch = 20;
/** How near to the first drawn message the next are drawn, in viewports. */
const drawAhead = 2;
/** Messages asked of the host at a time. */
const historyBatch = 100;
/** How often the reader's place is told to the host, in milliseconds. */
const placeInterval = 300;
/** How long a message stays marked after it was looked for, in milliseconds. */
const markTime = 1500;

/** The conversation: its messages, drawn from the end towards the start as the reader reaches them. */
export class Transcript {
  readonly element: HTMLElement;
  readonly scroller: HTMLElement;
  readonly #page: Page;
  readonly #log: HTMLElement;
  readonly #earlier: HTMLElement;
  readonly #empty: HTMLElement;
  readonly #emptyTitle = h('p', { class: 'empty-title' });
  readonly #jump: HTMLButtonElement;
  readonly #jumpCount = h('span');
  readonly #frames: Frames;
  readonly #follow: Follow;
  readonly #keeper: PlaceKeeper;
  readonly #drawn = new Map<string, MessageDrawing>();
  /** Messages that the page has and has not drawn yet, oldest first. */
  #undrawn: MessageView[] = [];
  /** How many messages the host has before those. */
  #earlierCount = 0;
  #asked = false;
  #blocksWhenLetGo = 0;
  #width = 0;
  #placeTimer: ReturnType<typeof setTimeout> | undefined;
  #arrived: (() => void) | undefined;

  constructor(page: Page, scroller: HTMLElement) {
    this.#page = page;
    const { strings } = page.words;
    this.#earlier = h('p', { class: 'earlier' }, strings.loadingEarlier);
    this.#empty = h(
      'div',
      { class: 'empty' },
      h('span', { class: 'codicon codicon-comment-discussion', 'aria-hidden': 'true' }),
      this.#emptyTitle,
      h('p', {}, strings.emptyHint),
    );
    // The announcer is the live region: see there.
    this.#log = h('div', {
      class: 'log',
      role: 'log',
      'aria-label': strings.conversation,
      'aria-live': 'off',
    });
    this.scroller = scroller;
    scroller.replaceChildren(this.#earlier, this.#empty, this.#log);
    this.#jump = h('button', { class: 'jump', type: 'button', 'aria-label': strings.jumpToLatest });
    this.#jump.append(icon('arrow-down'), this.#jumpCount);
    this.#jump.hidden = true;
    this.#jump.addEventListener('click', () => this.toEnd());
    this.element = h('div', { class: 'transcript' }, scroller, this.#jump);
    this.#frames = new Frames(() => this.#settle());
    this.#follow = new Follow(scroller, (following) => this.#followChanged(following));
    this.#keeper = new PlaceKeeper(scroller);
    scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    const resized = new ResizeObserver(() => this.#resized());
    resized.observe(scroller);
    resized.observe(this.#log);
  }

  /** Shows another conversation, or the same one anew. */
  reset(messages: readonly MessageView[], earlier: number, place: ScrollPlace | null): void {
    this.#log.replaceChildren();
    this.#drawn.clear();
    this.#undrawn = [...messages];
    this.#earlierCount = earlier;
    this.#asked = false;
    this.#drawEarlier(firstBatch);
    this.#update();
    if (place === null) this.#follow.toEnd();
    else this.#restore(place);
  }

  /** @param name the intern's */
  setIntern(name: string): void {
    setText(this.#emptyTitle, fill(this.#page.words.strings.emptyTitle, name));
  }

  add(message: MessageView): void {
    const drawing = this.#draw(message);
    this.#lastGroup().append(drawing.element);
    this.#update();
    // A prompt of one's own brings one back to the end: that is where the answer will be.
    if (message.kind === 'user') this.#follow.toEnd();
    this.#frames.request(drawing);
  }

  replace(message: MessageView): void {
    const drawing = this.#drawn.get(message.id);
    if (drawing === undefined) {
      const index = this.#undrawn.findIndex(({ id }) => id === message.id);
      if (index >= 0) this.#undrawn[index] = message;
      return;
    }
    if (!drawing.update(message)) return;
    this.#frames.request(drawing);
  }

  append(id: string, part: number, text: string): void {
    const drawing = this.#drawn.get(id);
    drawing?.append(part, text);
    if (drawing !== undefined) this.#frames.request(drawing);
  }

  /** Takes the messages just before the first one that the page has. */
  addEarlier(messages: readonly MessageView[], earlier: number): void {
    this.#asked = false;
    this.#undrawn.unshift(...messages);
    this.#earlierCount = earlier;
    this.#drawWhereReached();
    this.#update();
    this.#arrived?.();
  }

  toEnd(): void {
    this.#follow.toEnd();
    this.#frames.request({ draw: () => false });
  }

  letGo(): void {
    this.#follow.letGo();
  }

  /** The element of a message, drawn and loaded first where need be. */
  async ensure(id: string): Promise<HTMLElement | undefined> {
    while (!this.#drawn.has(id)) {
      if (this.#undrawn.length > 0) {
        this.#drawEarlier();
        await nextTask();
      } else if (this.#earlierCount > 0) await this.#nextHistory();
      else return undefined;
    }
    const drawing = this.#drawn.get(id);
    while (drawing?.draw() === true);
    return drawing?.element;
  }

  /** Scrolls to a message and marks it for a moment. */
  async reveal(id: string): Promise<void> {
    const element = await this.ensure(id);
    if (element === undefined) return;
    this.letGo();
    element.scrollIntoView({ block: 'start' });
    element.classList.add('revealed');
    setTimeout(() => element.classList.remove('revealed'), markTime);
  }

  #nextHistory(): Promise<void> {
    return new Promise((resolve) => {
      this.#arrived = () => {
        this.#arrived = undefined;
        resolve();
      };
      this.#askHistory();
    });
  }

  #askHistory(): void {
    const before = this.#firstId();
    if (this.#asked || before === undefined || this.#earlierCount === 0) return;
    this.#asked = true;
    this.#page.post('history', { before, count: historyBatch });
  }

  #firstId(): string | undefined {
    return this.#undrawn[0]?.id ?? this.#drawn.keys().next().value;
  }

  #draw(message: MessageView): MessageDrawing {
    const drawing = drawMessage(this.#page, message);
    this.#drawn.set(message.id, drawing);
    return drawing;
  }

  #lastGroup(): HTMLElement {
    const last = this.#log.lastElementChild;
    if (last instanceof HTMLElement && last.childElementCount < messagesPerGroup) return last;
    last?.classList.add('full');
    const group = h('div', { class: 'message-group' });
    this.#log.append(group);
    return group;
  }

  /** Draws the last of the messages that are not drawn yet, before those that are. */
  #drawEarlier(count = messagesPerBatch): void {
    const batch = this.#undrawn.splice(-count);
    if (batch.length === 0) return;
    const later = [...this.#drawn];
    this.#drawn.clear();
    const drawings = batch.map((message) => this.#draw(message));
    for (const [id, drawing] of later) this.#drawn.set(id, drawing);
    const look = later.length === 0 ? 'message-group' : 'message-group full';
    const group = h('div', { class: look }, ...drawings.map(({ element }) => element));
    for (const drawing of drawings) if (drawing.draw()) this.#frames.request(drawing);
    this.#prepend(group);
  }

  /**
   * Puts a group before all others and holds the place of what is read: where the browser's anchoring lets go, as it
   * does at the very start and after a jump, the start would be reached again and again until everything is drawn.
   */
  #prepend(group: HTMLElement): void {
    const next = this.#log.firstElementChild;
    const before = next?.getBoundingClientRect().top ?? 0;
    this.#log.prepend(group);
    if (next === null || this.#follow.following) return;
    this.scroller.scrollTop += next.getBoundingClientRect().top - before;
  }

  #drawWhereReached(): void {
    const reach = drawAhead * this.scroller.clientHeight;
    if (this.scroller.scrollTop > reach) return;
    if (this.#undrawn.length > 0) this.#drawEarlier();
    if (this.#undrawn.length < messagesPerBatch) this.#askHistory();
  }

  #update(): void {
    this.#earlier.hidden = this.#undrawn.length + this.#earlierCount === 0;
    this.#empty.hidden = this.#drawn.size + this.#undrawn.length + this.#earlierCount > 0;
  }

  #restore(place: ScrollPlace): void {
    void this.ensure(place.message).then((element) => {
      if (element === undefined) {
        this.#follow.toEnd();
        return;
      }
      this.#follow.letGo();
      element.scrollIntoView({ block: 'start' });
      this.scroller.scrollTop += place.offset;
    });
  }

  #settle(): void {
    this.#follow.settle();
    this.#updateJump();
  }

  #resized(): void {
    const width = this.scroller.clientWidth;
    if (this.#follow.following) this.#follow.settle();
    else if (width !== this.#width) this.#keeper.restore();
    this.#width = width;
    // Not before this frame is painted: what is in view is drawn already.
    setTimeout(() => this.#drawWhereReached());
  }

  #scrolled(): void {
    if (!this.#follow.following) this.#keeper.remember();
    this.#drawWhereReached();
    if (this.#placeTimer === undefined)
      this.#placeTimer = setTimeout(() => this.#tellPlace(), placeInterval);
  }

  #tellPlace(): void {
    this.#placeTimer = undefined;
    const place = this.#follow.following ? null : readPlace(this.scroller, this.#elements());
    this.#page.post('scrolled', { place });
  }

  #elements(): HTMLElement[] {
    return [...this.#drawn.values()].map(({ element }) => element);
  }

  #blocks(): number {
    let blocks = 0;
    for (const { blockCount } of this.#drawn.values()) blocks += blockCount;
    return blocks;
  }

  #followChanged(following: boolean): void {
    if (!following) this.#blocksWhenLetGo = this.#blocks();
    this.#updateJump();
  }

  #updateJump(): void {
    this.#jump.hidden = this.#follow.following;
    if (this.#jump.hidden) return;
    const { words } = this.#page;
    const count = words.count(this.#newBlocks());
    const title =
      count === '0' ? words.strings.jumpToLatest : fill(words.strings.jumpToLatestNew, count);
    if (this.#jump.title === title) return;
    this.#jump.title = title;
    setText(this.#jumpCount, count === '0' ? '' : count);
  }

  #newBlocks(): number {
    return this.#follow.following ? 0 : Math.max(0, this.#blocks() - this.#blocksWhenLetGo);
  }
}

/** Lets the browser do something else: a match may lie thousands of messages away. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
