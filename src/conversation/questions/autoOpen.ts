import type { ApiError } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableBase, type Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { QuestionBroker } from './broker.ts';
import type { ChatUsers } from './chatUsers.ts';
import { opensAt, type Surroundings } from './openPolicy.ts';
import type { TrackedQuestion } from './types.ts';

/** What the host knows of the window and its dialogs. */
export interface SurroundingsPort {
  current(): Surroundings;
  readonly onDidChange: Event<void>;
}

/** What an {@link AutoOpener} stands on. */
interface AutoOpenPorts {
  readonly clock: Clock;
  readonly broker: Pick<QuestionBroker, 'waiting' | 'onDidChange'>;
  readonly users: Pick<ChatUsers, 'get' | 'onDidChange'>;
  readonly surroundings: SurroundingsPort;
  /** Opens the dialog of a question. */
  readonly open: (question: string) => void;
}

/**
 * Opens dialogs by itself where {@link opensAt} allows it, the oldest deadline first.
 *
 * Each question is opened so once: a dialog that was hidden does not come back by itself, unless the service refused
 * the answer that its user gave in it.
 */
export class AutoOpener extends DisposableBase {
  readonly #ports: AutoOpenPorts;
  /** The questions that were opened, each with the refusal that its dialog told of. */
  readonly #opened = new Map<string, ApiError | null>();
  #timer: Disposable | undefined;

  constructor(ports: AutoOpenPorts) {
    super();
    this.#ports = ports;
    const consider = () => this.#consider();
    this.own(
      ports.broker.onDidChange(({ question, isShown, error, ending }) => {
        if (isShown) this.#opened.set(question.id, error);
        else if (ending !== null) this.#opened.delete(question.id);
        this.#consider();
      }),
    );
    this.own(ports.users.onDidChange(consider));
    this.own(ports.surroundings.onDidChange(consider));
    this.own({ dispose: () => this.#timer?.dispose() });
    consider();
  }

  /** Milliseconds until the dialog of a question opens if nothing changes; undefined where it would not. */
  opensIn(tracked: TrackedQuestion): number | undefined {
    const { question, error, isLate } = tracked;
    if (isLate || this.#opened.get(question.id) === error) return undefined;
    const { users, surroundings, clock } = this.#ports;
    const at = opensAt(users.get(question.conversation), surroundings.current());
    return at === undefined ? undefined : Math.max(at - clock.monotonic(), 0);
  }

  #consider(): void {
    this.#timer?.dispose();
    if (this.isDisposed) return;
    let soonest = Number.POSITIVE_INFINITY;
    for (const tracked of this.#ports.broker.waiting()) {
      const wait = this.opensIn(tracked);
      if (wait === 0) {
        this.#opened.set(tracked.question.id, tracked.error);
        this.#ports.open(tracked.question.id);
        return;
      }
      soonest = Math.min(soonest, wait ?? soonest);
    }
    if (Number.isFinite(soonest))
      this.#timer = this.#ports.clock.setTimeout(() => this.#consider(), Math.ceil(soonest));
  }
}
