import type { MessageView, ScrollPlace } from '../../protocol/view.ts';
import { Frames } from '../frames.ts';
import { h, icon, setHidden, setText } from '../dom.ts';
import type { Page } from '../page.ts';
import { fill } from '../words.ts';
import { Follow } from './follow.ts';
import { History } from './history.ts';
import type { Messages } from './history.ts';
import { drawMessage } from './messages.ts';
import type { MessageDrawing } from './messages.ts';
import { PlaceKeeper, readPlace } from './place.ts';
import { Stretches } from './stretches.ts';
import type { Stretch } from './stretches.ts';

/** Messages that are drawn at first: about what a panel shows. */
const firstBatch = 4;
/** Messages that are drawn each time the reader comes near to some that are not. */
const messagesPerBatch = 20;
/** Of those that are drawn where one is looked for: messages before it. */
const messagesBefore = 6;
/** How near messages that are not drawn may come to the viewport before they are, in viewports. */
const drawAhead = 2;
/** How long drawing a reply that is looked for may keep the browser from all else, in milliseconds. */
const longestStep = 8;
/** How often the reader's place is told to the host, in milliseconds. */
const placeInterval = 300;
/** How long a message stays marked after it was looked for, in milliseconds. */
const markTime = 1500;

/**
 * The conversation: its messages, drawn from the end towards the start as the reader reaches them, and around one that
 * is looked for.
 */
export class Transcript {
  readonly element: HTMLElement;
  readonly scroller: HTMLElement;
  readonly #page: Page;
  readonly #log: HTMLElement;
  readonly #empty: HTMLElement;
  readonly #emptyTitle = h('p', { class: 'empty-title' });
  readonly #jump: HTMLButtonElement;
  readonly #jumpCount = h('span');
  readonly #frames: Frames;
  readonly #follow: Follow;
  readonly #keeper: PlaceKeeper;
  readonly #messages: Messages;
  readonly #history: History;
  readonly #stretches: Stretches;
  readonly #drawn = new Map<string, MessageDrawing>();
  /** The last message when the reader left the end, and how many blocks it had. */
  #leftAt = { place: 0, blocks: 0 };
  #width = 0;
  #placeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(page: Page, scroller: HTMLElement, messages: Messages) {
    this.#page = page;
    this.#messages = messages;
    this.#history = new History(page.post, messages);
    const { strings } = page.words;
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
    this.#stretches = new Stretches(this.#log, strings.loadingEarlier);
    scroller.replaceChildren(this.#empty, this.#log);
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
  reset(place: ScrollPlace | null): void {
    this.#stretches.clear();
    this.#drawn.clear();
    this.#history.settle();
    const { count } = this.#messages;
    if (count > 0) this.#open(Math.max(0, count - firstBatch), count);
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
    const { last } = this.#stretches;
    if (last === undefined) this.#stretches.open(this.#messages.count - 1, [drawing]);
    else this.#stretches.append(last, [drawing]);
    this.#update();
    this.#frames.request(drawing);
  }

  replace(message: MessageView): void {
    const drawing = this.#drawn.get(message.id);
    if (drawing?.update(message) === true) this.#frames.request(drawing);
  }

  append(id: string, part: number, text: string): void {
    const drawing = this.#drawn.get(id);
    drawing?.append(part, text);
    if (drawing !== undefined) this.#frames.request(drawing);
  }

  /** The page was given messages that it had asked for. */
  historyArrived(): void {
    this.#history.settle();
    this.#drawWhereReached();
  }

  toEnd(): void {
    this.#follow.toEnd();
    this.#frames.request({ draw: () => false });
  }

  letGo(): void {
    this.#follow.letGo();
  }

  /** Tells the host the reader's place now, before the page may go away. */
  flush(): void {
    if (this.#placeTimer !== undefined) this.#tellPlace();
  }

  /** The element of a message, loaded and drawn first where need be, with those around it. */
  async ensure(id: string): Promise<HTMLElement | undefined> {
    const place = await this.#history.locate(id);
    if (place === undefined) return undefined;
    if (!this.#drawn.has(id)) this.#openAround(place);
    const drawing = this.#drawn.get(id);
    if (drawing === undefined) return undefined;
    await drawWhole(drawing);
    return drawing.element;
  }

  /** As `ensure`, with all that is folded away opened and drawn. */
  async unfold(id: string): Promise<HTMLElement | undefined> {
    const element = await this.ensure(id);
    if (element === undefined) return undefined;
    for (const fold of element.querySelectorAll('details')) fold.open = true;
    element.classList.remove('folded');
    return await this.ensure(id);
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

  #draw(message: MessageView): MessageDrawing {
    const drawing = drawMessage(this.#page, message);
    this.#drawn.set(message.id, drawing);
    return drawing;
  }

  /** Draws the messages from one place to another that the page has, in a stretch of their own. */
  #open(from: number, end: number): void {
    this.#stretches.open(from, this.#drawBatch(from, end));
  }

  #openAround(place: number): void {
    const before = this.#stretches.all.findLast(({ end }) => end <= place)?.end ?? 0;
    const after = this.#stretches.all.find(({ from }) => from > place)?.from ?? place + 1;
    const from = this.#firstKnown(place, Math.max(before, place - messagesBefore));
    this.#open(from, this.#lastKnown(place, Math.min(after, from + messagesPerBatch)));
  }

  /** Draws messages that the page has; where one takes more than a step, the rest of it follows in the next frames. */
  #drawBatch(from: number, end: number): MessageDrawing[] {
    const drawings: MessageDrawing[] = [];
    for (let place = from; place < end; place++) {
      const message = this.#messages.at(place);
      if (message !== undefined) drawings.push(this.#draw(message));
    }
    for (const drawing of drawings) if (drawing.draw()) this.#frames.request(drawing);
    return drawings;
  }

  /** The first place, down to `least`, from which on the page has all messages up to `place`. */
  #firstKnown(place: number, least: number): number {
    let first = place;
    while (first > least && this.#messages.at(first - 1) !== undefined) first--;
    return first;
  }

  /** The place, up to `most`, before which the page has all messages from `place` on. */
  #lastKnown(place: number, most: number): number {
    let last = place;
    while (last < most && this.#messages.at(last) !== undefined) last++;
    return last;
  }

  /** Draws what lies next to the viewport: before what stands under a gap, after what stands over it. */
  #drawWhereReached(): void {
    const box = this.scroller.getBoundingClientRect();
    const reach = drawAhead * this.scroller.clientHeight;
    for (const stretch of [...this.#stretches.all]) {
      const { from, gap } = stretch;
      const before = this.#stretches.endBefore(stretch);
      if (before === from) continue;
      const { top, bottom } = gap.getBoundingClientRect();
      if (bottom < box.top - reach || top > box.bottom + reach) continue;
      const above = this.#stretches.all.find(({ end }) => end === before);
      if (top > box.top && above !== undefined) this.#drawAfter(above, from);
      else this.#drawBefore(stretch, before);
    }
  }

  #drawBefore(stretch: Stretch, least: number): void {
    const known = this.#firstKnown(stretch.from, least);
    const from = Math.max(known, stretch.from - messagesPerBatch);
    if (from < stretch.from)
      this.#holding(stretch.gap.nextElementSibling, () =>
        this.#stretches.prepend(stretch, this.#drawBatch(from, stretch.from)),
      );
    if (from - known < messagesPerBatch) this.#history.want(least, known, 'last');
  }

  #drawAfter(stretch: Stretch, most: number): void {
    const known = this.#lastKnown(stretch.end, most);
    const end = Math.min(known, stretch.end + messagesPerBatch);
    if (end > stretch.end) this.#stretches.append(stretch, this.#drawBatch(stretch.end, end));
    if (known - end < messagesPerBatch) this.#history.want(known, most, 'first');
  }

  /**
   * Holds the place of what is read while something is drawn before it: where the browser's anchoring lets go, as it
   * does at the very start and after a jump, the start would be reached again and again until everything is drawn.
   */
  #holding(next: Element | null, draw: () => void): void {
    const before = next?.getBoundingClientRect().top ?? 0;
    draw();
    if (next === null || this.#follow.following) return;
    this.scroller.scrollTop += next.getBoundingClientRect().top - before;
  }

  #update(): void {
    this.#empty.hidden = this.#messages.count > 0;
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
    clearTimeout(this.#placeTimer);
    this.#placeTimer = undefined;
    const place = this.#follow.following
      ? null
      : readPlace(this.scroller, this.#stretches.elements);
    this.#page.post('scrolled', { place });
  }

  #followChanged(following: boolean): void {
    if (!following) {
      const place = Math.max(0, this.#messages.count - 1);
      this.#leftAt = { place, blocks: this.#stretches.blocksFrom(place) };
    }
    this.#updateJump();
  }

  #updateJump(): void {
    setHidden(this.#jump, this.#follow.following, this.scroller);
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
    const { place, blocks } = this.#leftAt;
    return Math.max(0, this.#stretches.blocksFrom(place) - blocks);
  }
}

/** Draws all of a message, which may be megabytes, and lets the browser do something else in between. */
async function drawWhole(drawing: MessageDrawing): Promise<void> {
  let begun = performance.now();
  while (drawing.draw()) {
    if (performance.now() - begun < longestStep) continue;
    await nextTask();
    begun = performance.now();
  }
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
