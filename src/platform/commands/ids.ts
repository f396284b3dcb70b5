import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';

// Menus call a command with a tree item and the other selected items, keybindings and other extensions with an argument
// object, and the palette with nothing. Tree items have the shape of the argument objects, so one schema reads both.

const accountTarget = v.object({ account: v.string() });
const internTarget = v.object({ intern: v.string() });
/** An intern, but not one of its conversations. */
const internItselfTarget = v.object({
  intern: v.string(),
  conversation: v.optional(v.undefined()),
});
const conversationTarget = v.object({ intern: v.string(), conversation: v.string() });
/** A question of a conversation; without `question`, any of its questions. */
const questionTarget = v.object({
  ...conversationTarget.entries,
  question: v.optional(v.string()),
});
const secretTarget = v.object({ secret: v.string() });
const creationTarget = v.object({ creation: v.string() });
const lineTarget = v.object({
  document: v.string(),
  line: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
const uriShape = v.object({ scheme: v.string(), path: v.string() });
/** Keeps the object itself, which is usually a `vscode.Uri`. */
const uriTarget = v.custom<UriTarget>((value) => v.is(uriShape, value));

const chatOpening = v.object({
  prompt: v.optional(v.string()),
  message: v.optional(v.string()),
});
const messageTarget = v.object({ message: v.string() });
/** The end of a transcript: a message of a conversation, by default the last one of the chat used last. */
const transcriptTarget = v.object({
  conversation: v.optional(v.string()),
  message: v.optional(v.string()),
});

export type AccountTarget = v.InferOutput<typeof accountTarget>;
export type InternTarget = v.InferOutput<typeof internTarget>;
export type ConversationTarget = v.InferOutput<typeof conversationTarget>;
/** A `prompt` for the composer, which is not sent, and the ID of a `message` to show. */
export type ChatOpening = v.InferOutput<typeof chatOpening>;
export type SecretTarget = v.InferOutput<typeof secretTarget>;
export type CreationTarget = v.InferOutput<typeof creationTarget>;
/** A line of a document, 0 for the first; `document` is a URI as text. */
export type LineTarget = v.InferOutput<typeof lineTarget>;

/** A file or another resource; a `vscode.Uri` is one. */
export type UriTarget = Readonly<v.InferOutput<typeof uriShape>>;

/** Git changes to send: of the repository that contains a file or folder, staged or unstaged. */
export interface ChangesTarget {
  readonly within?: UriTarget | undefined;
  readonly changes?: 'staged' | 'unstaged';
}

export type SelectionSource =
  /** The text editor that is or was last active. */
  | { readonly kind: 'editor' }
  /** A menu of an editor, or a caller that names a file. */
  | { readonly kind: 'document'; readonly uri: UriTarget }
  | { readonly kind: 'files'; readonly uris: readonly UriTarget[] }
  | { readonly kind: 'terminal' };

/** Converts the arguments of VS Code to those of a handler. */
type ReadArguments<A extends readonly unknown[]> = (given: readonly unknown[]) => A;

const noArguments: ReadArguments<[]> = () => [];

/**
 * Reads the item that a command was called on, then the others selected with it. Items of another shape are left out; if
 * none is left, the handler asks.
 */
function targets<T>(schema: v.GenericSchema<unknown, T>): ReadArguments<[targets: readonly T[]]> {
  const read = (items: readonly unknown[]): T[] =>
    items.flatMap((item) => {
      const result = v.safeParse(schema, item);
      return result.success ? [result.output] : [];
    });
  return ([clicked, selected]) => {
    const first = read([clicked]);
    const all = Array.isArray(selected) ? read(selected) : [];
    return [[...first, ...all.filter((item) => !isDeepStrictEqual(item, first[0]))]];
  };
}

/**
 * Reads the focused row of a list, which a key passes. If that row is gone, the key passes undefined, and the target names no
 * conversation: without a target, the command would act on the active chat.
 */
const rowTargets: ReadArguments<[targets: readonly ConversationTarget[]]> = (given) =>
  targets(conversationTarget)(given.map((row) => row ?? { intern: '', conversation: '' }));

function chatArguments<T>(
  schema: v.GenericSchema<unknown, T>,
): ReadArguments<[targets: readonly T[], opening: ChatOpening]> {
  const read = targets(schema);
  return (given) => {
    const opening = v.safeParse(chatOpening, given[0]);
    return [...read(given), opening.success ? opening.output : {}];
  };
}

const terminalTarget = v.object({ sendText: v.function(), creationOptions: v.object({}) });

const selectionSource: ReadArguments<[source: SelectionSource]> = ([first, selected]) => {
  if (v.is(terminalTarget, first)) return [{ kind: 'terminal' }];
  if (!v.is(uriTarget, first)) return [{ kind: 'editor' }];
  if (!Array.isArray(selected)) return [{ kind: 'document', uri: first }];
  const uris = selected.filter((item: unknown) => v.is(uriTarget, item));
  return [{ kind: 'files', uris: uris.length > 0 ? uris : [first] }];
};

/** Menus of source control pass a repository or a group of its changes. */
const gitTarget = v.object({ rootUri: uriTarget });
const GIT_GROUPS = { index: 'staged', workingTree: 'unstaged' } as const;
const gitGroup = v.object({
  id: v.picklist(['index', 'workingTree']),
  resourceStates: v.array(v.object({ resourceUri: uriTarget })),
});

const changesTarget: ReadArguments<[target: ChangesTarget]> = ([first]) => {
  if (v.is(gitTarget, first)) return [{ within: first.rootUri }];
  if (!v.is(gitGroup, first)) return [{}];
  const [resource] = first.resourceStates;
  return [{ within: resource?.resourceUri, changes: GIT_GROUPS[first.id] }];
};

/** The ID of every command, and how its arguments are read. */
export const commands = {
  'interns.signIn': targets(accountTarget),
  'interns.signOut': noArguments,
  'interns.switchAccount': noArguments,
  'interns.showKeyInfo': noArguments,
  'interns.refreshKeyInfo': noArguments,
  'interns.copyKeyInfo': noArguments,
  'interns.createIntern': noArguments,
  'interns.resumeCreation': targets(v.union([creationTarget, internTarget])),
  'interns.discardCreation': targets(creationTarget),
  'interns.createFromFile': targets(uriTarget),
  'interns.useText': targets(uriTarget),
  'interns.discardText': targets(uriTarget),
  'interns.addIntern': noArguments,
  'interns.removeIntern': targets(internItselfTarget),
  'interns.copyId': targets(internItselfTarget),
  'interns.showConversations': targets(internItselfTarget),
  'interns.showAllWorkspaces': noArguments,
  'interns.showThisWorkspace': noArguments,
  'interns.showArchived': noArguments,
  'interns.hideArchived': noArguments,
  'interns.clearFilter': noArguments,
  'interns.showMore': noArguments,
  'interns.goToWaiting': targets(conversationTarget),
  'interns.goToUnread': noArguments,
  'interns.openRecent': noArguments,
  'interns.markRead': targets(conversationTarget),
  'interns.markUnread': targets(conversationTarget),
  'interns.markAllRead': noArguments,
  'interns.openChat': chatArguments(v.union([conversationTarget, internTarget])),
  'interns.newConversation': chatArguments(internTarget),
  'interns.continueInNew': targets(transcriptTarget),
  'interns.askSeveral': targets(internItselfTarget),
  'interns.answer': targets(v.union([questionTarget, internTarget])),
  'interns.showAllowed': noArguments,
  'interns.stop': targets(conversationTarget),
  'interns.stopAndSend': noArguments,
  'interns.sendSelection': selectionSource,
  'interns.sendProblem': targets(lineTarget),
  'interns.sendChanges': changesTarget,
  'interns.exportTranscript': targets(conversationTarget),
  'interns.exportDecisions': noArguments,
  'interns.deleteSession': rowTargets,
  'interns.renameSession': rowTargets,
  'interns.pinConversation': targets(conversationTarget),
  'interns.unpinConversation': targets(conversationTarget),
  'interns.archiveConversation': targets(conversationTarget),
  'interns.unarchiveConversation': targets(conversationTarget),
  'interns.limitCost': targets(conversationTarget),
  'interns.copySessionId': targets(conversationTarget),
  'interns.whenUnanswered': targets(conversationTarget),
  'interns.searchConversations': noArguments,
  'interns.moveToSideBar': targets(conversationTarget),
  'interns.moveToEditor': noArguments,
  'interns.showInSideBar': noArguments,
  'interns.newInSideBar': noArguments,
  'interns.pinSideBar': noArguments,
  'interns.unpinSideBar': noArguments,
  'interns.showDigest': noArguments,
  'interns.findInChat': noArguments,
  'interns.focusComposer': noArguments,
  'interns.nextMessage': noArguments,
  'interns.previousMessage': noArguments,
  'interns.nextPrompt': noArguments,
  'interns.previousPrompt': noArguments,
  'interns.goToPrompt': noArguments,
  'interns.nextCodeBlock': noArguments,
  'interns.previousCodeBlock': noArguments,
  'interns.openReplyAsText': noArguments,
  'interns.returnToChat': noArguments,
  'interns.copyMessageLink': targets(messageTarget),
  'interns.accessibilityHelp': noArguments,
  'interns.setSecret': targets(secretTarget),
  'interns.importSecrets': targets(uriTarget),
  'interns.importSelection': noArguments,
  'interns.editHosts': targets(secretTarget),
  'interns.storeEnvEntry': targets(lineTarget),
  'interns.removeSecret': targets(secretTarget),
  'interns.showLog': noArguments,
  'interns.copyDiagnostics': noArguments,
  'interns.checkConnection': noArguments,
} as const satisfies Readonly<Record<string, ReadArguments<readonly unknown[]>>>;

export type CommandId = keyof typeof commands;

export type CommandArguments<K extends CommandId> = ReturnType<(typeof commands)[K]>;
