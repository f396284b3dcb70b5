import pLimit from 'p-limit';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { Alarm, MINUTE_MS } from '../../base/clock.ts';
import { DisposableBase } from '../../base/disposable.ts';
import type { Settings } from '../../platform/settings.ts';
import { JsonFolder } from '../../platform/storage/jsonFolder.ts';
import type { FileServices } from '../../platform/services.ts';

/** How long a window must have the focus for the user to be back, in ms. The window that lost it records that by then. */
const MIN_FOCUS_MS = 1_000;

/** The time when any window last had the focus, epoch ms. */
const presenceSchema = v.object({ id: v.literal('user'), at: v.number() });

interface AbsenceOptions extends FileServices {
  /** Absolute path of a folder that all windows share. */
  readonly folder: string;
  readonly settings: Pick<Settings, 'digestAfterMinutes'>;
  /** Called when the user is back. No window had the focus since `since`, epoch ms. */
  readonly onReturn: (since: number) => void;
}

/**
 * Detects that the user comes back, or opens a window, after no window had the focus for long. A shared file holds the
 * time of the last focus, so that only one window reports it, and a reload neither ends an absence nor repeats the report.
 */
export class AbsenceTracker extends DisposableBase {
  readonly #options: AbsenceOptions;
  readonly #presence: JsonFolder<v.InferOutput<typeof presenceSchema>>;
  #isFocused = vscode.window.state.focused;
  readonly #settling: Alarm;
  /** When the last absence began, if this window ended it; epoch ms. */
  #leftAt: number | undefined;
  readonly #inOrder = pLimit(1);

  constructor(options: AbsenceOptions) {
    super();
    this.#options = options;
    this.#presence = this.own(
      new JsonFolder({ ...options, schema: presenceSchema, idOf: ({ id }) => id }),
    );
    this.#settling = this.own(
      new Alarm(options.clock, (at) => this.#enqueue(() => this.#return(at - MIN_FOCUS_MS))),
    );
    this.own(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused === this.#isFocused) return;
        this.#isFocused = focused;
        this.#handleFocus(focused);
      }),
    );
    if (this.#isFocused) this.#handleFocus(true);
  }

  /** Returns when the user was last active before the last absence, epoch ms; now if no absence is known. */
  async lastActiveAt(): Promise<number> {
    return this.#leftAt ?? (await this.#presence.get('user'))?.at ?? this.#options.clock.now();
  }

  flush(): Promise<void> {
    if (this.#isFocused) this.#handleFocus(false);
    return this.whenIdle();
  }

  /** Resolves when everything so far is recorded and reported. */
  whenIdle(): Promise<void> {
    return this.#inOrder(() => undefined);
  }

  /** Records when the user left. A visit shorter than {@link MIN_FOCUS_MS} does not end the absence. */
  #handleFocus(isFocused: boolean): void {
    const now = this.#options.clock.now();
    const isShortVisit = this.#settling.isSet;
    this.#settling.set(isFocused ? now + MIN_FOCUS_MS : null);
    if (!isFocused && !isShortVisit)
      this.#enqueue(() => this.#presence.put({ id: 'user', at: now }));
  }

  async #return(now: number): Promise<void> {
    const longMs = this.#options.settings.digestAfterMinutes * MINUTE_MS;
    const since = (await this.#presence.get('user'))?.at;
    if (since === undefined || longMs === 0 || now - since < longMs) return;
    await this.#presence.put({ id: 'user', at: now });
    this.#leftAt = since;
    this.#options.onReturn(since);
  }

  #enqueue(work: () => Promise<void>): void {
    this.#inOrder(work).catch((failure: unknown) =>
      this.#options.log.warn('Could not record when a window had the focus', failure),
    );
  }
}
