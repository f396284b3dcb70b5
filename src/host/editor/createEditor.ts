import type { Disposable } from '../../base/disposable.ts';
import type { HostParts } from '../parts.ts';
import { EditorActions } from './editorActions.ts';
import type { ReplyActions } from './types.ts';

/** Builds what code blocks and links of a reply do in the editor. */
export function createReplyActions({ log }: Pick<HostParts, 'log'>): Disposable & ReplyActions {
  return new EditorActions(log);
}
