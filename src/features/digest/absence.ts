import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableBase, type Disposable } from '../../base/disposable.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Settings } from '../../platform/settings.ts';
import { JsonFolder } from '../../platform/storage/jsonFolder.ts';
import type { ReportUnreadable } from '../../platform/storage/unreadable.ts';
import type { WatchFolder } from '../../platform/storage/watch.ts';

const MINUTE_MS = 60_000;

/** How long a window must keep the focus before its user is back, in ms: by then another one that lost it has said so. */
const SETTLE_MS = 1_000;

/** When the user of this editor was last at any of its windows, and when last away for long; epoch ms. */
const presenceSchema = v.object({
  id: v.literal('user'),
  at: v.number(),
  awayFrom: v.optional(v.number()),
});

type Presence = v.InferOutput<typeof presenceSchema>;

interface AbsenceOptions {
  /** Absolute path of a folder that all windows of this editor share. */
  readonly folder: string;
  readonly settings: Pick<Settings, 'digestAfterMinutes'>;
  readonly clock: Clock;
  readonly watch: WatchFolder;
  readonly reportUnreadable: ReportUnreadable;
  readonly log: Pick<Log, 'warn'>;
  /** The user is back at this window, after no window had the focus since a time, epoch ms. */
  readonly onReturn: (since: number) => void;
}

/**
 * Sees when the user comes back after no window had the focus for long. A file says when one last had it, so that the
 * absence is that from all windows, its end is told in one of them, and a reload neither ends nor repeats it.
 */
export class Absence extends DisposableBase {
  readonly #options: AbsenceOptions;
  readonly #presence: JsonFolder<Presence>;
  #isFocused = vscode.window.state.focused;
  /** The user may be back. */
  #settling: Disposable | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(options: AbsenceOptions) {
    super();
    this.#options = options;
    this.#presence = this.own(
      new JsonFolder({ ...options, schema: presenceSchema, idOf: ({ id }) => id }),
    );
    this.own(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused === this.#isFocused) return;
        this.#isFocused = focused;
        if (focused) this.#handleFocus();
        else this.#handleBlur();
      }),
    );
    this.own({ dispose: () => this.#settling?.dispose() });
  }

  /** When the user was last away for long; undefined where that is not known. Epoch ms. */
  async lastAway(): Promise<number | undefined> {
    await this.#last;
    return (await this.#presence.get('user'))?.awayFrom;
  }

  /** Records that the user is here, before the window goes away. */
  async flush(): Promise<void> {
    if (this.#isFocused) this.#handleBlur();
    await this.#last;
  }

  #handleFocus(): void {
    const { settings, clock } = this.#options;
    const longMs = settings.digestAfterMinutes * MINUTE_MS;
    if (longMs === 0) return;
    const now = clock.now();
    this.#settling = clock.setTimeout(() => {
      this.#settling = undefined;
      this.#enqueue(() => this.#return(now, longMs));
    }, SETTLE_MS);
  }

  /** A look too short for a digest does not end the absence. */
  #handleBlur(): void {
    const isLook = this.#settling !== undefined;
    this.#settling?.dispose();
    this.#settling = undefined;
    if (isLook || this.#options.settings.digestAfterMinutes === 0) return;
    const at = this.#options.clock.now();
    this.#enqueue(() => this.#record({ at }));
  }

  async #return(now: number, longMs: number): Promise<void> {
    const since = (await this.#presence.get('user'))?.at;
    if (since === undefined || now - since < longMs) return;
    await this.#record({ at: now, awayFrom: since });
    this.#options.onReturn(since);
  }

  async #record(change: Omit<Presence, 'id'>): Promise<void> {
    await this.#presence.update('user', (current) => ({ ...current, ...change, id: 'user' }));
  }

  #enqueue(work: () => Promise<void>): void {
    this.#last = this.#last
      .then(work)
      .catch((failure: unknown) =>
        this.#options.log.warn('When the user was last here is not known', failure),
      );
  }
}
