import type { MessageView, ScrollPosition, StatusView } from '../../protocol/view.ts';
import { DRAW_BUDGET_MS, drawWhole, FrameScheduler } from '../frames.ts';
import { post } from '../connection.ts';
import { drawChanges, h, setHidden, type Drawn } from '../dom.ts';
import type { MessageStore } from '../messageStore.ts';
import type { Page } from '../page.ts';
import { AutoScroller, createJumpButton } from './autoScroller.ts';
import { invitation } from './invitation.ts';
import { MessageGroups, type Gap, type MessageGroup } from './messageGroups.ts';
import { describeMessage, type MessageDrawing } from './messages.ts';
import {
  type Anchor,
  anchorOf,
  findAnchor,
  findTopMessage,
  openReasoning,
  positionOf,
  restoreAnchor,
} from './scrollAnchor.ts';
import { Releaser } from './releaser.ts';
import { drawMessage } from './reply.ts';

/** Messages that are drawn at first. */
const FIRST_BATCH_MESSAGES = 4;
/** Messages that are drawn when the reader comes near. */
const BATCH_MESSAGES = 20;
/** Messages that are drawn before one that is looked for. */
const MESSAGES_DRAWN_BEFORE = 6;
/** Distance from the viewport at which messages are drawn, in viewports. */
const DRAW_AHEAD_SCREENS = 2;
/** Shortest time between two reports of the scroll position while the reader scrolls, in ms. */
const SCROLL_POSITION_INTERVAL_MS = 300;
/** How long a revealed message stays marked, in ms. */
const MARK_MS = 1500;

/**
 * Draws the conversation from the end towards the start as the reader scrolls, and around a message that is looked for.
 * Messages far from the viewport are released, and drawn again when the reader comes back.
 */
export class TranscriptView {
  readonly element: HTMLElement;
  readonly scroller: HTMLElement;
  readonly #page: Page;
  /** A feed in the log: Orca says the description of an article only in a feed. */
  readonly #feed = h('div', { class: 'feed', role: 'feed' });
  readonly #empty = h('div', { class: 'empty' });
  readonly #drawEmpty = drawChanges((status: Pick<StatusView, 'internName' | 'mode'>) =>
    this.#empty.replaceChildren(...invitation(this.#page.localizer, status)),
  );
  readonly #jump: Drawn<number>;
  readonly #frames = new FrameScheduler((all) => this.#handleFrameDrawn(all));
  readonly #autoScroller: AutoScroller;
  readonly #messages: MessageStore;
  readonly #groups: MessageGroups;
  readonly #releaser: Releaser;
  /** The last message when the reader left the end, and its number of blocks; undefined until the message is drawn. */
  #leftAt: { readonly index: number; readonly blocks: number } | undefined;
  #width = 0;
  /** True if gaps near the viewport are filled after the next frame. */
  #waitsForHeights = false;
  #scrollTimer: ReturnType<typeof setTimeout> | undefined;
  /** The reader's place, unless that is the end. The browser does not keep it when the width changes. */
  #anchor: Anchor | undefined;
  /** The scroll position that is being restored. */
  #restoring: ScrollPosition | undefined;

  constructor(page: Page, scroller: HTMLElement, messages: MessageStore) {
    this.#page = page;
    this.#messages = messages;
    const { strings } = page.localizer;
    // The announcer replaces the implicit live region of a log.
    const attributes = { role: 'log', 'aria-label': strings.conversation, 'aria-live': 'off' };
    const log = h('div', attributes, this.#feed);
    this.scroller = scroller;
    this.#groups = new MessageGroups(this.#feed, messages, page.localizer);
    this.#releaser = new Releaser(scroller, this.#groups, (group) => this.#restoreGroup(group));
    scroller.replaceChildren(this.#empty, log);
    this.#jump = createJumpButton(page.localizer, () => this.scrollToEnd());
    this.element = h('div', { class: 'transcript' }, scroller, this.#jump.element);
    this.#autoScroller = new AutoScroller(scroller, (following) =>
      this.#handleFollowChange(following),
    );
    scroller.addEventListener('scroll', () => this.#handleScroll(), { passive: true });
    scroller.addEventListener('scrollend', () => {
      // VS Code destroys a hidden page. While the page follows the end, it scrolls in each frame.
      if (!this.#autoScroller.isFollowing) this.flush();
    });
    const resized = new ResizeObserver(() => this.#handleResize());
    resized.observe(scroller);
    resized.observe(this.#feed);
  }

  /** Draws the conversation after a snapshot. */
  reset(position: ScrollPosition | null): void {
    this.#groups.clear();
    this.#frames.clear();
    const { count } = this.#messages;
    // Drawing now would make the task of the snapshot too long. It starts in the next frame, before the paint.
    const from = this.#messages.firstKnown(count, Math.max(0, count - FIRST_BATCH_MESSAGES));
    this.#insert(from, this.#createBatch(from, count));
    this.#followEnd();
    if (position !== null) void this.#restore(position);
  }

  setStatus({ internName, mode }: StatusView): void {
    this.#drawEmpty({ internName, mode });
  }

  /** Draws a message that was added to the store. */
  add(): void {
    const { count } = this.#messages;
    this.#insert(count - 1, this.#createBatch(count - 1, count));
  }

  replace(message: MessageView): void {
    const drawing = this.#drawingOf(message.id);
    if (drawing === undefined) return;
    drawing.update?.(message);
    this.#describe(drawing.element);
    this.#frames.request(drawing);
  }

  append(id: string, part: number, text: string): void {
    const drawing = this.#drawingOf(id);
    drawing?.append?.(part, text);
    if (drawing !== undefined) this.#frames.request(drawing);
  }

  /** Restores groups and fills gaps near the viewport. */
  drawNearViewport(): void {
    const box = this.scroller.getBoundingClientRect();
    const reach = DRAW_AHEAD_SCREENS * this.scroller.clientHeight;
    for (const group of this.#groups.groupsBetween(box.top - reach, box.bottom + reach))
      this.#restoreGroup(group);
    this.#releaser.plan();
    // Messages without a height would leave room for all others.
    this.#waitsForHeights = this.#groups.drawings.some(({ isPending }) => isPending === true);
    if (this.#waitsForHeights) return;
    for (const gap of this.#groups.gaps) {
      const { top, bottom } = gap.next.placeholder.getBoundingClientRect();
      if (bottom < box.top - reach || top > box.bottom + reach) continue;
      if (top > box.top && gap.from > 0) this.#drawAfter(gap);
      else this.#drawBefore(gap);
    }
  }

  scrollToEnd(): void {
    this.#followEnd();
    // Sent at once, because a hidden page cannot send anything.
    this.#sendScrollPosition();
  }

  #followEnd(): void {
    this.#restoring = undefined;
    this.#autoScroller.scrollToEnd();
    this.#frames.request({});
  }

  /**
   * Must be called after each change around the transcript that may change its height. After two changes in one frame, the
   * first would look like a scroll of the reader.
   */
  handleLayoutChange(): void {
    this.#autoScroller.handleLayoutChange();
  }

  stopFollowing(): void {
    this.#restoring = undefined;
    this.#autoScroller.stopFollowing();
  }

  /** The message that contains the focus. */
  get focused(): HTMLElement | undefined {
    return document.activeElement?.closest<HTMLElement>('.message') ?? undefined;
  }

  /** The index of the message at the top of the viewport, or of the last one at the end. */
  get currentIndex(): number {
    const last = this.#messages.count - 1;
    if (this.#autoScroller.isFollowing) return last;
    const top = findTopMessage(this.scroller, this.#groups.elements);
    return this.#messages.indexOf(top?.dataset['id'] ?? '') ?? last;
  }

  /** Focuses a message or an element in it, and scrolls to it. */
  focus(element: HTMLElement): void {
    this.stopFollowing();
    if (element.matches('.message')) this.#describe(element);
    element.focus({ preventScroll: true });
    // Code above that comes into sight could change its height, and push the element out of sight.
    element.scrollIntoView({ block: 'start' });
    const { bottom, height } = element.getBoundingClientRect();
    const box = this.scroller.getBoundingClientRect();
    // Code that fits only without its buttons above is shown whole.
    if (height <= box.height) this.scroller.scrollTop += Math.max(0, bottom - box.bottom);
  }

  #describe(element: HTMLElement): void {
    describeMessage(element, this.#messages, this.#page.localizer);
  }

  /** Reports the scroll position, before another page replaces this one. */
  flush(): void {
    if (this.#scrollTimer !== undefined) this.#sendScrollPosition();
  }

  /** Returns the element of a message, and loads and draws it first if necessary. Opens one reasoning of it if given. */
  async ensure(id: string, reasoning?: number): Promise<HTMLElement | undefined> {
    const index = await this.#messages.locate(id);
    if (index === undefined) return undefined;
    const group = this.#groups.groupAt(index);
    if (group === undefined) this.#drawAround(index);
    else this.#restoreGroup(group);
    const drawing = this.#groups.drawingAt(index);
    if (drawing === undefined) return undefined;
    openReasoning(drawing.element, reasoning);
    await this.#releaser.pauseFor(drawWhole(drawing));
    return drawing.element;
  }

  /** Like `ensure`, and opens and draws everything that is folded. */
  async unfold(id: string): Promise<HTMLElement | undefined> {
    const element = await this.ensure(id);
    if (element === undefined) return undefined;
    for (const fold of element.querySelectorAll('details')) fold.open = true;
    this.#drawingOf(id)?.unfold?.();
    return await this.ensure(id);
  }

  /** Goes to a message and marks it for a moment. */
  async reveal(id: string): Promise<void> {
    const element = await this.unfold(id);
    if (element === undefined) return;
    this.focus(element);
    element.classList.add('revealed');
    setTimeout(() => element.classList.remove('revealed'), MARK_MS);
  }

  #drawingOf(id: string): MessageDrawing | undefined {
    return this.#groups.drawingAt(this.#messages.indexOf(id) ?? -1);
  }

  #insert(from: number, drawings: readonly MessageDrawing[]): void {
    this.#groups.insert(from, drawings);
    this.#empty.hidden = this.#messages.count > 0;
    this.#feed.hidden = !this.#empty.hidden;
  }

  #drawAround(index: number): void {
    const gap = this.#groups.gaps.find(({ end }) => index < end);
    if (gap === undefined) return;
    const least = Math.max(gap.from, index - MESSAGES_DRAWN_BEFORE);
    const from = this.#messages.firstKnown(index, least);
    const end = this.#messages.lastKnown(index, Math.min(gap.end, from + BATCH_MESSAGES));
    this.#insert(from, this.#drawBatch(from, end));
  }

  /** Draws messages, the last ones first. Work beyond one task's budget continues in later frames. */
  #drawBatch(from: number, end: number): MessageDrawing[] {
    const drawings = this.#createBatch(from, end);
    const until = performance.now() + DRAW_BUDGET_MS;
    for (const drawing of drawings.toReversed())
      if (performance.now() < until) drawing.draw?.(until);
    return drawings;
  }

  /** Creates messages that later frames draw, the last ones first. */
  #createBatch(from: number, end: number): MessageDrawing[] {
    const indexes = Array.from({ length: end - from }, (_, offset) => from + offset);
    const known = indexes.flatMap((index) => this.#messages.at(index) ?? []);
    const drawings = known.map((message) => drawMessage(this.#page, message));
    for (const drawing of drawings.toReversed()) {
      this.#frames.request(drawing);
      requestIdleCallback(() => this.#describe(drawing.element));
    }
    return drawings;
  }

  /** Draws the last messages of a gap. */
  #drawBefore({ from: least, end, next }: Gap): void {
    const known = this.#messages.firstKnown(end, least);
    const from = Math.max(known, end - BATCH_MESSAGES);
    if (from < end)
      this.#keepInPlace(next.element, () => this.#insert(from, this.#drawBatch(from, end)));
    if (from - known < BATCH_MESSAGES) this.#messages.want(least, known, 'last');
  }

  /** Draws the first messages of a gap. */
  #drawAfter({ from, end: most }: Gap): void {
    const known = this.#messages.lastKnown(from, most);
    const end = Math.min(known, from + BATCH_MESSAGES);
    this.#insert(from, this.#drawBatch(from, end));
    if (known - end < BATCH_MESSAGES) this.#messages.want(known, most, 'first');
  }

  /**
   * Keeps `next` in place while something is drawn before it. The browser's scroll anchoring doesn't do this at the very
   * start and after a jump. The reader would reach the start again and again until everything is drawn.
   */
  #keepInPlace(next: Element | null, draw: () => void): void {
    const before = next?.getBoundingClientRect().top ?? 0;
    draw();
    if (next === null || this.#autoScroller.isFollowing) return;
    const moved = next.getBoundingClientRect().top - before;
    // Setting the same value would stop a smooth scroll.
    if (moved !== 0) this.scroller.scrollTop += moved;
  }

  #restoreGroup(group: MessageGroup): void {
    if (group.isReleased) this.#groups.restore(group, this.#drawBatch(group.from, group.end));
  }

  async #restore(position: ScrollPosition): Promise<void> {
    this.#restoring = position;
    const element = await this.ensure(position.message, position.reasoning);
    const anchor = element && anchorOf(element, position);
    if (anchor) await this.#releaser.pauseFor(this.#groups.drawBelow(anchor, this.scroller));
    if (this.#restoring !== position) return;
    this.#restoring = undefined;
    if (anchor !== undefined) this.#autoScroller.restore(anchor);
    // If the message is gone, the host would keep its position until another one arrives.
    this.#sendScrollPosition();
  }

  #handleFrameDrawn(all: boolean): void {
    if (all) {
      this.#groups.skipFullGroups();
      this.#settleRestored();
      const index = Math.max(0, this.#messages.count - 1);
      this.#leftAt ??= { index, blocks: this.#groups.blocksFrom(index) };
    }
    this.#autoScroller.handleLayoutChange();
    if (this.#waitsForHeights) setTimeout(() => this.drawNearViewport());
    this.#updateJump();
  }

  #settleRestored(): void {
    const restored = this.#groups.all.filter(({ isSettled }) => !isSettled);
    if (restored.length === 0) return;
    const top = findTopMessage(this.scroller, this.#groups.elements);
    this.#keepInPlace(top ?? null, () => {
      for (const group of restored) group.settle();
    });
  }

  #handleResize(): void {
    const width = this.scroller.clientWidth;
    this.#autoScroller.handleLayoutChange();
    if (this.#anchor && width !== this.#width) restoreAnchor(this.scroller, this.#anchor);
    this.#width = width;
    // The viewport is already drawn, so this can wait for the next paint.
    setTimeout(() => this.drawNearViewport());
  }

  #handleScroll(): void {
    this.#autoScroller.handleScroll();
    this.#locateReader();
    this.drawNearViewport();
    this.#scrollTimer ??= setTimeout(() => this.#sendScrollPosition(), SCROLL_POSITION_INTERVAL_MS);
  }

  #locateReader(): void {
    const { isFollowing } = this.#autoScroller;
    this.#anchor = isFollowing ? undefined : findAnchor(this.scroller, this.#groups.elements);
  }

  #sendScrollPosition(): void {
    clearTimeout(this.#scrollTimer);
    this.#scrollTimer = undefined;
    this.#locateReader();
    const position = this.#restoring ?? (this.#anchor ? positionOf(this.#anchor) : null);
    post('scrolled', { position });
  }

  #handleFollowChange(following: boolean): void {
    this.#locateReader();
    if (!following) {
      this.#restoring = undefined;
      this.#leftAt = undefined;
      this.#frames.request({});
    }
    this.#updateJump();
  }

  #updateJump(): void {
    const { index, blocks } = this.#leftAt ?? { index: 0, blocks: Infinity };
    if (this.#autoScroller.isFollowing) setHidden(this.#jump.element, true, this.scroller);
    else this.#jump.draw(Math.max(0, this.#groups.blocksFrom(index) - blocks));
  }
}
