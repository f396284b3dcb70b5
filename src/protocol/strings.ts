import type { l10n } from 'vscode';

/** VS Code's `l10n`. Arguments are named `l10n`, so that `vscode-l10n-dev` finds the strings. */
type Translator = Pick<typeof l10n, 't'>;

/** The strings of the page, sent with the snapshot. The page fills in `{0}` and `{1}`. */
export type PageStrings = Readonly<
  ReturnType<typeof transcriptStrings> &
    ReturnType<typeof composerStrings> &
    ReturnType<typeof findStrings> & {
      /** BCP 47 tag for Intl. */
      locale: string;
    }
>;

/** Returns the strings of the page. @param locale the language of `l10n`, as a BCP 47 tag */
export function pageStrings(l10n: Translator, locale: string): PageStrings {
  return { ...transcriptStrings(l10n), ...composerStrings(l10n), ...findStrings(l10n), locale };
}

function transcriptStrings(l10n: Translator) {
  return {
    conversation: l10n.t('Conversation'),
    you: l10n.t('You'),
    copyCode: l10n.t('Copy code'),
    oneHidden: l10n.t('1 hidden character'),
    someHidden: l10n.t('{0} hidden characters'),
    insertAtCursor: l10n.t('Insert at cursor'),
    newFile: l10n.t('New file'),
    openDiff: l10n.t('Open in diff editor'),
    applyDiff: l10n.t('Apply'),
    wrapLines: l10n.t('Wrap lines'),
    copyMessage: l10n.t('Copy message as Markdown'),
    copyLink: l10n.t('Copy link to message'),
    continueInNew: l10n.t('Continue in New Conversation…'),
    copyCompletionId: l10n.t('Copy completion ID'),
    copied: l10n.t('Copied'),
    editMessage: l10n.t('Edit and send again'),
    jumpToLatest: l10n.t('Jump to latest'),
    jumpToLatestNew: l10n.t('Jump to latest ({0} new)'),
    switchToManual: l10n.t('Switch to Manual'),
    sentInSelfDrive: l10n.t('Sent in self-drive'),
    stopRun: l10n.t('Stop the run'),
    thinking: l10n.t('Thinking'),
    thoughtFor: l10n.t('Thought for {0}'),
    thought: l10n.t('Thought'),
    working: l10n.t('Working'),
    waitingForYou: l10n.t('Waiting for you'),
    stopped: l10n.t('Stopped'),
    cut: l10n.t('Interrupted'),
    failed: l10n.t('Failed'),
    timeLeft: l10n.t('Time left: {0}'),
    timeUp: l10n.t('Time’s up. You can still try to answer.'),
    imageNotShown: l10n.t('Image not loaded: {0}'),
    taskDone: l10n.t('Done'),
    taskOpen: l10n.t('Not done'),
    loadingEarlier: l10n.t('Loading earlier messages'),
    emptyTitle: l10n.t('What should {0} do?'),
    emptyHint: l10n.t('Describe a task or ask a question.'),
    emptyManual: l10n.t('The intern asks before actions that need approval.'),
    hostGone: l10n.t(
      'VS Code isn’t responding. Your draft is kept, and this chat reopens when it’s back.',
    ),
    codeBlock: l10n.t('Code, {0}'),
    // The language of a code block without one.
    plainText: l10n.t('text'),
    // The language of a block that is shown as plain text.
    tooMuchMarkup: l10n.t('Too much formatting. Shown as plain text.'),
    // The accessible name of a table.
    table: l10n.t('Table'),
    // The accessible names of toolbars.
    codeActions: l10n.t('Code actions'),
    tableActions: l10n.t('Table actions'),
    copyCsv: l10n.t('Copy as CSV'),
    copyMarkdown: l10n.t('Copy as Markdown'),
    showMore: l10n.t('Show more'),
    showLess: l10n.t('Show less'),
    // The rest is announced to screen readers.
    finished: l10n.t('{0} finished'),
    codeAnnounced: l10n.t('Code block'),
    // Said before a sentence if sentences before it were left out.
    skipped: l10n.t('Skipped.'),
    // Replaces inline code that cannot be read aloud.
    code: l10n.t('code'),
    sent: l10n.t('Sent'),
    attached: l10n.t('{0} attached'),
    selfDriveOn: l10n.t('Self-drive is on'),
    selfDriveOff: l10n.t('Self-drive is off'),
  };
}

function composerStrings(l10n: Translator) {
  return {
    composer: l10n.t('Message {0}'),
    // The name of the composer until it was left once.
    composerWithHelp: l10n.t('Message {0}. Press Alt+F1 for help.'),
    composerHint: l10n.t('Enter sends, Shift+Enter starts a new line, @ adds a file'),
    composerHintCtrl: l10n.t('Ctrl+Enter sends, Enter starts a new line, @ adds a file'),
    composerHintCommand: l10n.t('⌘↵ sends, Enter starts a new line, @ adds a file'),
    send: l10n.t('Send'),
    // The tooltip of Send during a run.
    sendLater: l10n.t('Send when the run ends'),
    // The tooltip of the button beside Send, which opens a menu.
    moreSending: l10n.t('More ways to send'),
    stopAndSendQueued: l10n.t('Stop and send queued prompt: {0}'),
    stop: l10n.t('Stop'),
    escapeAgain: l10n.t('Press Escape again to stop'),
    approvalMode: l10n.t('Approval mode'),
    manual: l10n.t('Manual'),
    selfDrive: l10n.t('Self-drive'),
    // The warning of self-drive where there is little space.
    selfDriveShort: l10n.t('Self-drive: no sandbox'),
    selfDriveNotAllowed: l10n.t('Self-drive is off in Restricted Mode'),
    queued: l10n.t('Queued'),
    queueHeld: l10n.t('Not sent'),
    // Marks a queued prompt that is the reason for a rejection.
    queuedReason: l10n.t('Rejection reason'),
    editQueued: l10n.t('Edit queued prompt: {0}'),
    saveQueued: l10n.t('Save queued prompt'),
    cancelEdit: l10n.t('Cancel editing'),
    removeQueued: l10n.t('Remove queued prompt: {0}'),
    attach: l10n.t('Add a file'),
    attachHint: l10n.t('Hold Shift to drop files here'),
    // Shown after an image or a file was pasted or dropped.
    onlyText: l10n.t('Only text can be sent. Add text files with +.'),
    attachments: l10n.t('Attachments'),
    removeAttachment: l10n.t('Remove {0}'),
    editAttachment: l10n.t('Edit {0}'),
    // The size of an attachment.
    characters: l10n.t('{0} characters'),
    promptCount: l10n.t('{0} of {1} characters'),
    promptTooLong: l10n.t('The prompt is too long to send.'),
    promptEmpty: l10n.t('Type a prompt to send.'),
    conversationDeleted: l10n.t('This conversation was deleted. It can’t be continued.'),
    completions: l10n.t('Files'),
    completionsFound: l10n.t('Files found: {0}'),
    promptCompletions: l10n.t('Prompts'),
    promptsFound: l10n.t('Prompts found: {0}'),
  };
}

function findStrings(l10n: Translator) {
  return {
    find: l10n.t('Find in conversation'),
    findNext: l10n.t('Next match'),
    findPrevious: l10n.t('Previous match'),
    findClose: l10n.t('Close'),
    findCase: l10n.t('Match case'),
    findCount: l10n.t('{0} of {1}'),
    findNone: l10n.t('No matches'),
  };
}
