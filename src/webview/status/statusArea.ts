import { formatTimeLeft } from '../../base/timeLeft.ts';
import type { BandView, BannerView, StatusView } from '../../protocol/view.ts';
import type { Composer } from '../composer/composer.ts';
import { post } from '../connection.ts';
import {
  drawChanges,
  h,
  icon,
  iconButton,
  keepFocus,
  setHidden,
  setText,
  textButton,
  type Drawn,
} from '../dom.ts';
import { actionBar, type Page } from '../page.ts';
import { createQueue } from './queue.ts';

/** The area between transcript and composer: banners, queued prompts, and the band of self-drive. */
export class StatusArea {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #composer: Composer;
  readonly #hostGone: HTMLElement;
  readonly #banners = h('div', { class: 'banners' });
  readonly #band: HTMLElement;
  readonly #bandText = h('span', { class: 'band-text' });
  readonly #bandStop: HTMLButtonElement;
  readonly #bandManual: HTMLButtonElement;
  readonly #queue: Drawn<StatusView>;
  readonly #drawBanners = drawChanges((banners: readonly BannerView[]) => {
    const drawn = banners.map((banner) => this.#banner(banner));
    keepFocus(this.#banners, () => this.#banners.replaceChildren(...drawn), this.#composer);
  });

  constructor(page: Page, composer: Composer) {
    this.#page = page;
    this.#composer = composer;
    const { strings } = page.localizer;
    this.#queue = createQueue(page, composer);
    this.#bandStop = textButton(strings.stop, () => post('act', { action: 'stop' }));
    this.#bandStop.title = strings.stopRun;
    this.#bandManual = textButton(strings.switchToManual, () =>
      post('setMode', { mode: 'manual' }),
    );
    this.#bandManual.classList.add('band-manual');
    const more = iconButton('info', strings.showMore, () => {
      const isOpen = this.#band.classList.toggle('open');
      more.setAttribute('aria-expanded', String(isOpen));
    });
    more.classList.add('band-more');
    more.setAttribute('aria-expanded', 'false');
    this.#band = h(
      'div',
      { class: 'band', role: 'group', 'aria-label': strings.selfDrive, hidden: true },
      icon('rocket'),
      this.#bandText,
      // In a low page, this and the button take the place of the text and of Switch to Manual.
      h('span', { class: 'band-short' }, strings.selfDriveShort),
      more,
      h('span', { class: 'actions' }, this.#bandManual, this.#bandStop),
    );
    this.#hostGone = h(
      'div',
      { class: 'banner error', role: 'alert', hidden: true },
      icon('debug-disconnect'),
      h('span', { class: 'banner-text' }, strings.hostGone),
    );
    const passing = h('div', { class: 'passing' }, this.#banners, this.#hostGone);
    passing.append(this.#queue.element);
    this.element = h('div', { class: 'status-area' }, passing, this.#band);
  }

  setStatus(status: StatusView): void {
    this.#drawBanners(status.banners);
    this.#queue.draw(status);
    const composer = this.#composer;
    // An empty text ends the countdown of a band that disappears.
    this.#showText(this.#bandText, status.selfDriveBand ?? { text: '' });
    setHidden(this.#band, status.selfDriveBand === null, composer);
    setHidden(this.#bandStop, status.activity === 'idle', composer);
    setHidden(this.#bandManual, status.mode === 'manual', composer);
  }

  setHostAlive(alive: boolean): void {
    this.#hostGone.hidden = alive;
  }

  #banner({ tone, text, until, actions }: BannerView): HTMLElement {
    const words = h('span', { class: 'banner-text', dir: 'auto' });
    this.#showText(words, until === undefined ? { text } : { text, until });
    const parts = [icon(tone), words, ...actionBar(actions)];
    return h('div', { class: `banner ${tone}` }, ...parts);
  }

  /** Shows a text, with a countdown if it has one. */
  #showText(element: HTMLElement, { text, until }: BandView): void {
    const { ticker } = this.#page;
    ticker.forget(element);
    if (until === undefined) setText(element, text);
    else
      ticker.watch(element, until, (left) =>
        setText(element, text.replace('{time}', formatTimeLeft(left))),
      );
  }
}
