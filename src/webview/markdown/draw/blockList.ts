import { h } from '../../dom.ts';

/** Blocks a group holds. The browser skips layout and paint of groups that are out of sight. */
const blocksPerGroup = 50;

/** The nodes of blocks that follow each other, in groups. */
export class BlockList {
  readonly #parent: Element;
  readonly #groups: HTMLElement[] = [];
  #count = 0;

  /** @param parent what the groups are put at the end of */
  constructor(parent: Element) {
    this.#parent = parent;
  }

  get count(): number {
    return this.#count;
  }

  get last(): Element | null {
    return this.#groups.at(-1)?.lastElementChild ?? null;
  }

  at(index: number): ChildNode | undefined {
    const group = this.#groups[Math.floor(index / blocksPerGroup)];
    return group?.childNodes[index % blocksPerGroup];
  }

  add(node: Node): void {
    let group = this.#groups.at(-1);
    if (group === undefined || group.childNodes.length >= blocksPerGroup) {
      group?.classList.add('full');
      group = h('div', { class: 'block-group' });
      this.#groups.push(group);
      this.#parent.append(group);
    }
    group.append(node);
    this.#count += 1;
  }

  removeLast(): void {
    const group = this.#groups.at(-1);
    if (group === undefined) return;
    group.lastChild?.remove();
    this.#count -= 1;
    if (group.firstChild !== null) return;
    group.remove();
    this.#groups.pop();
    this.#groups.at(-1)?.classList.remove('full');
  }
}
