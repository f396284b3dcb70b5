import type { ApprovalMode } from '../base/approvalMode.ts';
import type { AppendedText, ReplyState, WrittenPart } from '../base/reply.ts';

/**
 * The data that the page draws: localized, and without keys, URLs of the service or secrets. Times are epoch ms
 * by the host's clock. `text` is the intern's Markdown, hostile until sanitized, unless a comment states otherwise.
 */

/** An action on a message, question or banner, which the host carries out. */
export interface ActionView {
  readonly id: ActionId;
  readonly label: string;
}

export const ACTION_IDS = [
  'answer',
  'askAgain',
  'cancelQuestionAndSend',
  'giveUpAndSend',
  'continueInNew',
  'editLast',
  'limitCost',
  'newConversation',
  'openLog',
  'retry',
  'sendNow',
  'sendQueue',
  'showFormatted',
  'signIn',
  'stop',
  'tellIntern',
] as const;
export type ActionId = (typeof ACTION_IDS)[number];

/** An attachment of the draft: a file, a selection, terminal output or a problem. */
export interface DraftAttachmentView {
  readonly id: string;
  /** The short name, with lines for a part of a file: `src/a.ts:10-20`. */
  readonly label: string;
  /** The code points that it adds to the prompt. */
  readonly characters: number;
}

export interface PromptMessageView {
  readonly kind: 'prompt';
  readonly id: string;
  readonly at: number;
  /** Plain text, shown as typed. */
  readonly text: string;
  /** The labels of its attachments. */
  readonly attachments: readonly string[];
  readonly mode: ApprovalMode;
  /** True if `editLast` applies: it is the last prompt, and there is no run. */
  readonly editable: boolean;
  /** True if an agent of the editor wrote it. */
  readonly isByAgent?: true;
}

export type PartView = WrittenPart | { readonly kind: 'question'; readonly question: QuestionView };

/** The card of a question, which is answered in native dialogs. */
export interface QuestionView {
  readonly id: string;
  readonly kind: 'permission' | 'elicitation' | 'unreadable';
  /** The question in one line, plain text. */
  readonly title: string;
  /** Plain text: the operation, the elicitation's message, or the raw arguments of an unreadable question. */
  readonly detail: string;
  readonly pending: boolean;
  /** The state or outcome: `Waiting for you`, `Allowed once`. */
  readonly stateMessage: string;
  /** When the question probably expires; only while pending. */
  readonly deadline?: number;
  readonly actions: readonly ActionView[];
}

/** The reason of a failed run, and what to do; plain text. */
export interface FailureView {
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly ActionView[];
}

export interface ReplyMessageView {
  readonly kind: 'reply';
  readonly id: string;
  readonly at: number;
  /** The intern's name, which starts the accessible name of the message. */
  readonly author: string;
  readonly state: ReplyState;
  readonly parts: readonly PartView[];
  /** `Model · 1,234 input tokens · 56 output tokens · $0.01 · Took 2s`, each if it is known. The host measures the time. */
  readonly facts: readonly string[];
  /** More facts, for tooltips. */
  readonly details: readonly string[];
  /** The service's ID of the last response. */
  readonly completion: string | null;
  readonly failure?: FailureView;
}

/** A line between messages, such as `A new session starts here`. */
export interface NoticeView {
  readonly kind: 'notice';
  readonly id: string;
  readonly at: number;
  readonly text: string;
}

export type MessageView = PromptMessageView | ReplyMessageView | NoticeView;

export interface QueuedPromptView {
  readonly id: string;
  readonly text: string;
  /** The approval mode of the prompt, if it differs from the conversation's. */
  readonly mode?: ApprovalMode;
  /** True for the reason for a rejection. */
  readonly isReason?: true;
  /** The labels of its attachments. */
  readonly attachments: readonly string[];
}

/** A line above the composer, with a countdown if `until` is given. */
export interface BannerView {
  readonly tone: 'info' | 'warning' | 'error';
  /** Plain text. The page replaces `{time}` by the time left as m:ss. */
  readonly text: string;
  readonly until?: number;
  readonly actions: readonly ActionView[];
}

/** The band of self-drive. */
export type BandView = Pick<BannerView, 'text' | 'until'>;

/** The settings that the page uses: those of `interns.chat`, and the editor's for code. */
export interface PageSettings {
  /** How much of a reply is announced to screen readers. */
  readonly narration: 'sentences' | 'onCompletion' | 'off';
  /** How fast screen readers speak, in characters per second. */
  readonly speechRate: number;
  /** True if Escape, pressed twice, stops a run. */
  readonly escapeStops: boolean;
  /** The key that sends a prompt; with `ctrl+enter`, also ⌘↵. */
  readonly sendWith: 'enter' | 'ctrl+enter';
  /** The text size in CSS pixels; 0 for the editor's own. */
  readonly fontSize: number;
  /** The editor's font features for code, as CSS. */
  readonly codeFeatures: string;
}

/** The state around the transcript, sent as a whole. */
export interface StatusView {
  readonly title: string;
  readonly internName: string;
  /** Anything but `idle` can be stopped: a run streams or is paused, or a prompt waits to be sent. */
  readonly activity: 'idle' | 'working' | 'waiting' | 'holding';
  readonly mode: ApprovalMode;
  /** False in an untrusted workspace. */
  readonly selfDriveAllowed: boolean;
  /** Shown during a self-drive run, and while the mode is self-drive. */
  readonly selfDriveBand: BandView | null;
  /** True if the conversation was deleted in another window. */
  readonly readOnly: boolean;
  readonly banners: readonly BannerView[];
  readonly queue: readonly QueuedPromptView[];
  readonly queueHeld: boolean;
  readonly attachments: readonly DraftAttachmentView[];
  readonly settings: PageSettings;
  /** The cost and its limit, as plain text; empty if unknown. */
  readonly cost: string;
}

/** The parts of code that have a color of their own. */
export const CODE_COLORS = [
  'comment',
  'keyword',
  'literal',
  'string',
  'regexp',
  'number',
  'function',
  'class',
  'type',
  'variable',
  'tag',
  'attribute',
] as const;

/** The colors of code in the editor's theme, as CSS in `#` and digits; each only if the theme has it. */
export type CodeColors = Partial<Readonly<Record<(typeof CODE_COLORS)[number], string>>>;

/** The scroll position; null is the end. */
export interface ScrollPosition {
  readonly message: string;
  /** The opened reasoning with the block, by its index in the message. Absent for a block of the reply's text. */
  readonly reasoning?: number | undefined;
  /** The block at the top of the viewport, by its index there. Pixels alone would depend on the width. */
  readonly block?: number | undefined;
  /** The distance from the top of the block, else of the message, down to that of the viewport, in CSS pixels. */
  readonly offset: number;
}

/** The end of a conversation. The page asks for earlier messages as the reader reaches them. */
export interface SnapshotView {
  readonly status: StatusView;
  readonly messages: readonly MessageView[];
  /** The number of messages before `messages[0]`. */
  readonly earlier: number;
  readonly draft: string;
  readonly scroll: ScrollPosition | null;
  /** True if replies are shown as plain text because the page hung on them. */
  readonly isPlain: boolean;
  /** The user's last prompts in this conversation, oldest first, for recall with the arrow keys. */
  readonly recall: readonly string[];
}

export type Change =
  | { readonly kind: 'add'; readonly message: MessageView }
  | { readonly kind: 'replace'; readonly message: MessageView }
  /** Replaces a reply except its parts. */
  | { readonly kind: 'header'; readonly message: Omit<ReplyMessageView, 'parts'> }
  /** Sets or adds the part at `index` of a reply. */
  | { readonly kind: 'part'; readonly id: string; readonly index: number; readonly part: PartView }
  | AppendedText
  | { readonly kind: 'status'; readonly status: StatusView };
