import type { StatusView } from '../../protocol/view.ts';
import { h, icon } from '../dom.ts';
import { formatMessage, type Localizer } from '../localizer.ts';

/** Creates the contents of a conversation without messages: an invitation to begin. */
export function invitation(
  { strings }: Localizer,
  { internName, mode }: Pick<StatusView, 'internName' | 'mode'>,
): readonly HTMLElement[] {
  const title = formatMessage(strings.emptyTitle, internName);
  return [
    icon('comment-discussion'),
    h('p', { class: 'empty-title', dir: 'auto' }, title),
    h('p', {}, strings.emptyHint),
    h('p', {}, mode === 'manual' ? strings.emptyManual : ''),
  ];
}
