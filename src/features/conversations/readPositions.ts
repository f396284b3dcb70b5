import * as v from 'valibot';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import type { FileServices } from '../../platform/services.ts';
import { JsonFolder } from '../../platform/storage/jsonFolder.ts';
import type { Account } from '../accounts/account.ts';
import type { ConversationHead } from './heads.ts';

/** `heads/ID.read`, beside the head of a conversation. Any window writes it. */
const readSchema = v.object({
  conversation: v.string(),
  /** When the end of the conversation was last visible in a window, epoch ms; not before the end itself. */
  at: v.number(),
  /** True if the user marked it as unread after that. */
  isUnread: v.optional(v.boolean()),
});

export type ReadPosition = Readonly<v.InferOutput<typeof readSchema>>;

/** The ID of the record that says since when an account's positions are kept. What arrived before counts as read. */
export const KEPT_SINCE = '';

/** The read positions of all conversations, by account. A folder is read and watched when it is first listed. */
export class ReadPositions extends DisposableBase {
  readonly #options: FileServices;
  readonly #changed = this.own(new Emitter<void>());

  readonly onDidChange = this.#changed.event;

  constructor(options: FileServices) {
    super();
    this.#options = options;
  }

  /** Lists the positions by conversation. */
  async list(account: Account): Promise<ReadonlyMap<string, ReadPosition>> {
    const { clock, log } = this.#options;
    const folder = this.#of(account);
    const positions = new Map((await folder.list()).map((each) => [each.conversation, each]));
    if (positions.has(KEPT_SINCE)) return positions;
    const first = { conversation: KEPT_SINCE, at: clock.now() };
    folder
      .update(KEPT_SINCE, (current) => current ?? first)
      .catch((failure: unknown) => log.warn('Read positions could not be written', failure));
    return positions.set(KEPT_SINCE, first);
  }

  /** Marks a conversation as read up to now, or as unread. If the clock was set back, its end `at` may be later than now. */
  async mark(
    account: Account,
    { id, at }: Pick<ConversationHead, 'id' | 'at'>,
    isRead: boolean,
  ): Promise<void> {
    const position = { conversation: id, at: Math.max(at, this.#options.clock.now()) };
    await this.#of(account).put(isRead ? position : { ...position, isUnread: true });
  }

  /** Removes the position of a deleted conversation. */
  async forget(account: Account, conversation: string): Promise<void> {
    await this.#of(account).remove(conversation);
  }

  #of({ store }: Account): JsonFolder<ReadPosition> {
    return this.ownOnce(store, () => {
      const folder = new JsonFolder({
        ...this.#options,
        folder: store.paths.heads,
        schema: readSchema,
        idOf: ({ conversation }) => conversation,
        extension: '.read',
        canBeRemade: true,
      });
      folder.onDidChange(() => this.#changed.fire());
      return folder;
    });
  }
}
