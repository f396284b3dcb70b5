import type { Memento } from 'vscode';
import * as v from 'valibot';

const tabSchema = v.object({
  account: v.string(),
  intern: v.string(),
  conversation: v.string(),
  title: v.string(),
});

/** A chat tab as it is remembered: VS Code tells of a tab that lost its page no more than the title. */
export type KeptTab = Readonly<v.InferOutput<typeof tabSchema>>;

const key = 'openTabs';

/** The most tabs that are remembered. */
const most = 100;

/** Which conversations stood in tabs when this window's extension host last lived, and which do now. */
export class OpenTabs {
  readonly #memento: Memento;
  /** Those of the last host that were not taken up yet: their pages are restored when they are shown. */
  #earlier: readonly KeptTab[];
  #open: readonly KeptTab[] = [];

  constructor(memento: Memento) {
    this.#memento = memento;
    const kept = v.safeParse(v.array(tabSchema), memento.get(key));
    this.#earlier = kept.success ? kept.output : [];
  }

  /** Remembers the tabs that are open now. VS Code writes them to disk when it sees fit. */
  keep(open: readonly KeptTab[]): void {
    if (JSON.stringify(open) === JSON.stringify(this.#open)) return;
    this.#open = open;
    this.#earlier = this.#earlier.filter(
      (tab) => !open.some(({ conversation }) => conversation === tab.conversation),
    );
    void this.#memento.update(key, [...open, ...this.#earlier].slice(0, most));
  }

  /** The conversation of a tab of the last host, by its title; where that does not tell, the first that is left. */
  take(title: string): KeptTab | undefined {
    const tab = this.#earlier.find((each) => each.title === title) ?? this.#earlier[0];
    this.#earlier = this.#earlier.filter((each) => each !== tab);
    return tab;
  }

  /** What was taken is still to be opened. */
  giveBack(tab: KeptTab): void {
    this.#earlier = [tab, ...this.#earlier];
  }
}
