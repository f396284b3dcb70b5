import type { ApprovalMode, StatusView } from '../../protocol/view.ts';
import { h } from '../dom.ts';
import type { Page } from '../page.ts';

/** Chooses the approval mode of the next prompt. The host decides: until it has, the mode stays what it was. */
export class ModeSelect {
  readonly element: HTMLSelectElement;
  readonly #selfDrive: HTMLOptionElement;
  readonly #page: Page;
  #mode: ApprovalMode = 'manual';

  constructor(page: Page) {
    this.#page = page;
    const { strings } = page.words;
    this.#selfDrive = h('option', { value: 'self-drive' }, strings.selfDrive);
    this.element = h(
      'select',
      { class: 'mode', 'aria-label': strings.approvalMode, title: strings.approvalMode },
      h('option', { value: 'manual' }, strings.manual),
      this.#selfDrive,
    );
    this.element.addEventListener('change', () => this.#chosen());
  }

  setStatus({ mode, selfDriveAllowed }: StatusView): void {
    const { strings } = this.#page.words;
    this.#mode = mode;
    this.element.value = mode;
    this.#selfDrive.disabled = !selfDriveAllowed;
    this.element.title = selfDriveAllowed ? strings.approvalMode : strings.selfDriveNotAllowed;
    this.element.classList.toggle('self-drive', mode === 'self-drive');
  }

  #chosen(): void {
    const mode = this.element.value === 'self-drive' ? 'self-drive' : 'manual';
    this.element.value = this.#mode;
    this.#page.post('setMode', { mode });
  }
}
