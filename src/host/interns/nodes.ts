import type { CreationRecord } from '../storage/records.ts';
import type { ConversationItem } from './conversations.ts';
import type { InternGroup, RankedIntern } from './internState.ts';

/**
 * The rows of the Interns view. A command that is called on one reads it as its argument object, so a row has the
 * properties `intern`, `conversation` or `creation` of the thing that it stands for (commands/ids.ts).
 */
export type InternsNode = GroupNode | InternNode | ConversationNode | CreationNode;

export interface GroupNode {
  readonly kind: 'group';
  readonly group: InternGroup;
  readonly members: readonly InternNode[];
}

export interface InternNode extends RankedIntern {
  readonly kind: 'intern';
  readonly intern: string;
}

export interface ConversationNode {
  readonly kind: 'conversation';
  readonly intern: string;
  readonly conversation: string;
  readonly item: ConversationItem;
}

/** A create that was cut off. */
export interface CreationNode {
  readonly kind: 'creation';
  readonly creation: string;
  readonly record: CreationRecord;
}

/** Rows of interns under a row for each group that has any. */
export function grouped(interns: readonly InternNode[]): GroupNode[] {
  const members = new Map<InternGroup, InternNode[]>();
  for (const intern of interns) {
    const group = members.get(intern.group);
    if (group === undefined) members.set(intern.group, [intern]);
    else group.push(intern);
  }
  return [...members].map(([group, nodes]) => ({ kind: 'group', group, members: nodes }));
}
