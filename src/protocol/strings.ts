/**
 * The words of the page, sent with the snapshot so that the page itself knows no language.
 * `{0}` and `{1}` are filled in by the page.
 */
export interface PageStrings {
  /** BCP 47 tag for Intl. */
  readonly locale: string;
  readonly conversation: string;
  readonly you: string;
  /** `Message {0}`: the composer's name and placeholder. */
  readonly composer: string;
  readonly composerHint: string;
  /** Where Ctrl+Enter sends, and where ⌘↵ does. */
  readonly composerHintCtrl: string;
  readonly composerHintCommand: string;
  readonly send: string;
  readonly stop: string;
  readonly copyCode: string;
  /** Hidden characters in a code block, such as `3 hidden characters`. */
  readonly oneHidden: string;
  readonly someHidden: string;
  readonly insertAtCursor: string;
  readonly newFile: string;
  readonly openDiff: string;
  readonly applyDiff: string;
  readonly wrapLines: string;
  readonly copyMessage: string;
  readonly copyLink: string;
  readonly copyCompletionId: string;
  readonly copied: string;
  readonly editMessage: string;
  readonly jumpToLatest: string;
  /** `Jump to latest ({0} new)`. */
  readonly jumpToLatestNew: string;
  readonly approvalMode: string;
  readonly manual: string;
  readonly selfDrive: string;
  readonly selfDriveNotAllowed: string;
  readonly switchToManual: string;
  /** Under a prompt that went out in self-drive. */
  readonly sentInSelfDrive: string;
  readonly stopRun: string;
  readonly thinking: string;
  /** `Thought for {0}`. */
  readonly thoughtFor: string;
  readonly thought: string;
  readonly working: string;
  readonly waitingForYou: string;
  readonly stopped: string;
  readonly cut: string;
  readonly failed: string;
  readonly timeLeft: string;
  readonly timeUp: string;
  readonly queued: string;
  readonly queueHeld: string;
  readonly queuedReason: string;
  /** `Edit queued prompt: {0}`, where {0} is how the prompt begins. */
  readonly editQueued: string;
  readonly saveQueued: string;
  /** `Remove queued prompt: {0}`. */
  readonly removeQueued: string;
  readonly attach: string;
  readonly attachHint: string;
  /** `Remove {0}`. */
  readonly removeAttachment: string;
  /** `{0} characters`. */
  readonly characters: string;
  /** `{0} of {1} characters`. */
  readonly promptCount: string;
  readonly promptTooLong: string;
  readonly find: string;
  readonly findNext: string;
  readonly findPrevious: string;
  readonly findClose: string;
  readonly findCase: string;
  /** `{0} of {1}`. */
  readonly findCount: string;
  readonly findNone: string;
  readonly emptyTitle: string;
  readonly emptyHint: string;
  readonly hostGone: string;
  readonly imageNotShown: string;
  readonly taskDone: string;
  readonly taskOpen: string;
  readonly loadingEarlier: string;
  readonly completions: string;
  /** `Files found: {0}`: announced when the list of files opens or changes. */
  readonly completionsFound: string;
  /** The same for the list of prompts. */
  readonly promptCompletions: string;
  readonly promptsFound: string;
  /** `Code, {0}`: the name of a code block, with its language. */
  readonly codeBlock: string;
  /** Stands for the language of a code block that names none. */
  readonly plainText: string;
  /** Stands for the language of a block that is shown as plain text. */
  readonly tooMuchMarkup: string;
  /** The name of a table in a reply, which scrolls sideways where it is too wide. */
  readonly table: string;
  readonly copyCsv: string;
  readonly copyMarkdown: string;
  /** The name of the attachments of the prompt being written, and of those of a message. */
  readonly attachments: string;
  /** Send's tooltip while a run is under way: the prompt is queued. */
  readonly sendLater: string;
  /** Shown for a second after the first Escape while a run can be stopped. */
  readonly escapeAgain: string;
  /** Opens and folds a long prompt. */
  readonly showMore: string;
  readonly showLess: string;
  /** `{0} finished`: announced when a reply is complete; `{0}` is the intern's name. */
  readonly finished: string;
  /** Announced in place of the contents of a code block. */
  readonly codeAnnounced: string;
  /** Announced in place of code in a sentence that is no word. */
  readonly code: string;
  /** Announced when a prompt went out. */
  readonly sent: string;
  /** `{0} attached`: announced with the name of what was attached. */
  readonly attached: string;
  readonly selfDriveOn: string;
  readonly selfDriveOff: string;
}
