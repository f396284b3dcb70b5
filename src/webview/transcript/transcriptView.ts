import type { MessageView, ScrollPlace } from '../../protocol/view.ts';
import { drawBudget, drawWhole, Frames } from '../frames.ts';
import { h, setText } from '../dom.ts';
import type { Page } from '../page.ts';
import { fill } from '../words.ts';
import { Follow, JumpButton } from './follow.ts';
import { History, type Messages } from './history.ts';
import { divideDays, type MessageDrawing } from './messages.ts';
import { PlaceKeeper, readPlace } from './scrollAnchor.ts';
import { Releaser } from './releaser.ts';
import { drawMessage } from './reply.ts';
import { Segments, type Group, type Segment } from './segments.ts';

/** Messages that are drawn at first: about what a panel shows. */
const firstBatch = 4;
/** Messages that are drawn each time the reader comes near to some that are not. */
const messagesPerBatch = 20;
/** Of those that are drawn where one is looked for: messages before it. */
const messagesBefore = 6;
/** How near messages that are not drawn may come to the viewport before they are, in viewports. */
const drawAhead = 2;
/** How often the reader's place is told to the host, in milliseconds. */
const placeInterval = 300;
/** What is left free above a message that gets the focus, for the line around it, in CSS pixels. */
const focusGap = 8;
/** How long a message stays marked after it was looked for, in milliseconds. */
const markTime = 1500;

/**
 * The conversation: its messages, drawn from the end towards the start as the reader reaches them, and around one that
 * is looked for. Those that are far from the reader are released, and drawn again when the reader comes back.
 */
export class TranscriptView {
  readonly element: HTMLElement;
  readonly scroller: HTMLElement;
  readonly history: History;
  readonly #page: Page;
  readonly #log: HTMLElement;
  readonly #empty: HTMLElement;
  readonly #emptyTitle = h('p', { class: 'empty-title', dir: 'auto' });
  readonly #jump: JumpButton;
  readonly #frames: Frames;
  readonly #follow: Follow;
  readonly #keeper: PlaceKeeper;
  readonly #messages: Messages;
  readonly #segments: Segments;
  readonly #releaser: Releaser;
  readonly #drawn = new Map<string, MessageDrawing>();
  /** The last message when the reader left the end, and how many blocks it had. */
  #leftAt = { place: 0, blocks: 0 };
  #width = 0;
  #placeTimer: ReturnType<typeof setTimeout> | undefined;
  /** Where the reader is to be brought back to, until that is done or something else brings the reader elsewhere. */
  #restoring: ScrollPlace | undefined;

  constructor(page: Page, scroller: HTMLElement, messages: Messages) {
    this.#page = page;
    this.#messages = messages;
    this.history = new History(page.post, messages);
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
    this.#segments = new Segments(this.#log, strings.loadingEarlier, (from, end) =>
      divideDays(messages, this.#drawn, from, end, page.words),
    );
    this.#releaser = new Releaser(scroller, this.#segments, {
      release: (group) => this.#release(group),
      restore: (group) => this.#restoreGroup(group),
    });
    scroller.replaceChildren(this.#empty, this.#log);
    this.#jump = new JumpButton(page.words, () => this.toEnd());
    this.element = h('div', { class: 'transcript' }, scroller, this.#jump.element);
    this.#frames = new Frames((all) => this.#frameDrawn(all));
    this.#follow = new Follow(scroller, (following) => this.#followChanged(following));
    this.#keeper = new PlaceKeeper(scroller);
    scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    const resized = new ResizeObserver(() => this.#resized());
    resized.observe(scroller);
    resized.observe(this.#log);
  }

  /** Shows another conversation, or the same one anew. */
  reset(place: ScrollPlace | null): void {
    this.#segments.clear();
    this.#drawn.clear();
    this.history.stopWaiting();
    const { count } = this.#messages;
    if (count > 0) this.#open(Math.max(0, count - firstBatch), count);
    this.#empty.hidden = count > 0;
    this.toEnd();
    if (place !== null) void this.#restore(place);
  }

  /** @param name the intern's */
  setIntern(name: string): void {
    setText(this.#emptyTitle, fill(this.#page.words.strings.emptyTitle, name));
  }

  add(message: MessageView): void {
    const drawing = this.#draw(message);
    const { last } = this.#segments;
    if (last === undefined) this.#segments.open(this.#messages.count - 1, [drawing]);
    else this.#segments.append(last, [drawing]);
    this.#empty.hidden = true;
    this.#frames.request(drawing);
  }

  replace(message: MessageView): void {
    const drawing = this.#drawn.get(message.id);
    if (drawing?.update(message) === true) this.#frames.request(drawing);
  }

  append(id: string, part: number, text: string): void {
    const drawing = this.#drawn.get(id);
    drawing?.append?.(part, text);
    if (drawing !== undefined) this.#frames.request(drawing);
  }

  /** The page was given messages that it had asked for. */
  historyArrived(): void {
    this.history.arrived();
    this.#drawWhereReached();
  }

  toEnd(): void {
    this.#restoring = undefined;
    this.#follow.toEnd();
    this.#frames.request({});
  }

  /**
   * What surrounds the transcript may have another height. Of two changes before the next frame the first would be taken
   * for a scroll of the reader's: a banner that goes moves the scroller, and one that comes leaves it where it is.
   */
  layoutChanged(): void {
    this.#follow.layoutChanged();
  }

  letGo(): void {
    this.#restoring = undefined;
    this.#follow.letGo();
  }

  /** The message that has the focus, or in which something has. */
  get focused(): HTMLElement | undefined {
    return document.activeElement?.closest<HTMLElement>('.message') ?? undefined;
  }

  /** The place of the message that is read: the one at the top of the viewport, or at the end the last one. */
  get place(): number {
    const last = this.#messages.count - 1;
    if (this.#follow.following) return last;
    const read = readPlace(this.scroller, this.#segments.elements);
    return (read && this.#messages.placeOf(read.message)) ?? last;
  }

  /** Focuses a message or something in one, and shows it. */
  focus(element: HTMLElement): void {
    this.letGo();
    element.focus({ preventScroll: true });
    const isMessage = element.matches('.message');
    const isTooHigh = element.clientHeight > this.scroller.clientHeight;
    element.scrollIntoView({ block: isMessage || isTooHigh ? 'start' : 'nearest' });
    if (isMessage) this.scroller.scrollTop -= focusGap;
  }

  /** Tells the host the reader's place now, before the page may go away. */
  flush(): void {
    if (this.#placeTimer !== undefined) this.#sendPlace();
  }

  /** The element of a message, loaded and drawn first where need be, with those around it. */
  async ensure(id: string): Promise<HTMLElement | undefined> {
    const place = await this.history.locate(id);
    if (place === undefined) return undefined;
    const group = this.#segments.groupAt(place);
    if (group === undefined) this.#openAround(place);
    else this.#restoreGroup(group);
    const drawing = this.#drawn.get(id);
    if (drawing === undefined) return undefined;
    await this.#releaser.pauseFor(drawWhole(drawing));
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

  /** Goes to a message and marks it for a moment. */
  async reveal(id: string): Promise<void> {
    const element = await this.unfold(id);
    if (element === undefined) return;
    this.focus(element);
    element.classList.add('revealed');
    setTimeout(() => element.classList.remove('revealed'), markTime);
  }

  #draw(message: MessageView): MessageDrawing {
    const drawing = drawMessage(this.#page, message);
    this.#drawn.set(message.id, drawing);
    return drawing;
  }

  /** Draws the messages from one place to another that the page has, in a segment of their own. */
  #open(from: number, end: number): void {
    this.#segments.open(from, this.#drawBatch(from, end));
  }

  #openAround(place: number): void {
    const before = this.#segments.all.findLast(({ end }) => end <= place)?.end ?? 0;
    const after = this.#segments.all.find(({ from }) => from > place)?.from ?? place + 1;
    const from = this.history.firstKnown(place, Math.max(before, place - messagesBefore));
    this.#open(from, this.history.lastKnown(place, Math.min(after, from + messagesPerBatch)));
  }

  /** Draws messages that the page has, the last ones first; what takes longer than a task may follows in the next frames. */
  #drawBatch(from: number, end: number): MessageDrawing[] {
    const drawings: MessageDrawing[] = [];
    for (let place = from; place < end; place++) {
      const message = this.#messages.at(place);
      if (message !== undefined) drawings.push(this.#draw(message));
    }
    const until = performance.now() + drawBudget;
    for (const drawing of drawings.toReversed()) {
      if (performance.now() < until) drawing.draw?.(until);
      this.#frames.request(drawing);
    }
    return drawings;
  }

  /** Draws what lies next to the viewport: before what stands under a gap, after what stands over it. */
  #drawWhereReached(): void {
    const box = this.scroller.getBoundingClientRect();
    const reach = drawAhead * this.scroller.clientHeight;
    for (const group of this.#segments.groupsBetween(box.top - reach, box.bottom + reach))
      this.#restoreGroup(group);
    this.#releaser.plan();
    for (const segment of [...this.#segments.all]) {
      const { from, gap } = segment;
      const before = this.#segments.endBefore(segment);
      if (before === from) continue;
      const { top, bottom } = gap.getBoundingClientRect();
      if (bottom < box.top - reach || top > box.bottom + reach) continue;
      const above = this.#segments.all.find(({ end }) => end === before);
      if (top > box.top && above !== undefined) this.#drawAfter(above, from);
      else this.#drawBefore(segment, before);
    }
  }

  #drawBefore(segment: Segment, least: number): void {
    const known = this.history.firstKnown(segment.from, least);
    const from = Math.max(known, segment.from - messagesPerBatch);
    if (from < segment.from)
      this.#holding(segment.gap.nextElementSibling, () =>
        this.#segments.prepend(segment, this.#drawBatch(from, segment.from)),
      );
    if (from - known < messagesPerBatch) this.history.want(least, known, 'last');
  }

  #drawAfter(segment: Segment, most: number): void {
    const known = this.history.lastKnown(segment.end, most);
    const end = Math.min(known, segment.end + messagesPerBatch);
    if (end > segment.end) this.#segments.append(segment, this.#drawBatch(segment.end, end));
    if (known - end < messagesPerBatch) this.history.want(known, most, 'first');
  }

  /**
   * Holds the place of what is read while something is drawn before it: where the browser's anchoring lets go, as it
   * does at the very start and after a jump, the start would be reached again and again until everything is drawn.
   */
  #holding(next: Element | null, draw: () => void): void {
    const before = next?.getBoundingClientRect().top ?? 0;
    draw();
    if (next === null || this.#follow.following) return;
    const moved = next.getBoundingClientRect().top - before;
    // Even to where it is already, a scroll would end a smooth one of the reader's.
    if (moved !== 0) this.scroller.scrollTop += moved;
  }

  #release(group: Group): void {
    for (const { element } of group.drawings) this.#drawn.delete(element.dataset['id'] ?? '');
    group.release();
  }

  /** Draws again what a group has released. */
  #restoreGroup(group: Group): void {
    if (!group.isReleased) return;
    const { from, end } = group;
    this.#segments.restore(group, this.#drawBatch(from, end));
  }

  async #restore(place: ScrollPlace): Promise<void> {
    this.#restoring = place;
    const element = await this.ensure(place.message);
    if (this.#restoring !== place) return;
    this.#restoring = undefined;
    if (element === undefined) return;
    this.#follow.letGo();
    element.scrollIntoView({ block: 'start' });
    this.scroller.scrollTop += place.offset;
  }

  #frameDrawn(all: boolean): void {
    if (all) {
      this.#segments.skipFullGroups();
      this.#settleRestored();
    }
    this.#follow.layoutChanged();
    this.#updateJump();
  }

  #settleRestored(): void {
    const restored = this.#segments.groups.filter(({ isSettled }) => !isSettled);
    if (restored.length === 0) return;
    const read = readPlace(this.scroller, this.#segments.elements);
    const element = this.#drawn.get(read?.message ?? '')?.element;
    this.#holding(element ?? null, () => {
      for (const group of restored) group.settle();
    });
  }

  #resized(): void {
    const width = this.scroller.clientWidth;
    if (this.#follow.following) this.#follow.layoutChanged();
    else if (width !== this.#width) this.#keeper.restore();
    this.#width = width;
    // Not before this frame is painted: what is in view is drawn already.
    setTimeout(() => this.#drawWhereReached());
  }

  #scrolled(): void {
    if (!this.#follow.following) this.#keeper.remember();
    this.#drawWhereReached();
    if (this.#placeTimer === undefined)
      this.#placeTimer = setTimeout(() => this.#sendPlace(), placeInterval);
  }

  #sendPlace(): void {
    clearTimeout(this.#placeTimer);
    this.#placeTimer = undefined;
    const read = () => readPlace(this.scroller, this.#segments.elements);
    const place = this.#restoring ?? (this.#follow.following ? null : read());
    this.#page.post('scrolled', { place });
  }

  #followChanged(following: boolean): void {
    if (!following) {
      this.#restoring = undefined;
      const place = Math.max(0, this.#messages.count - 1);
      this.#leftAt = { place, blocks: this.#segments.blocksFrom(place) };
    }
    this.#updateJump();
  }

  #updateJump(): void {
    const { place, blocks } = this.#leftAt;
    if (this.#follow.following) this.#jump.hide(this.scroller);
    else this.#jump.show(Math.max(0, this.#segments.blocksFrom(place) - blocks));
  }
}
