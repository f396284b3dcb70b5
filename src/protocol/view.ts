import type { ApprovalMode } from '../base/approvalMode.ts';

/**
 * What the page draws: plain data, already in the user's language, free of keys, URLs of the service and secret values.
 * Times are epoch milliseconds by the host's clock; `text` is Markdown from the intern (hostile until sanitized) unless
 * said otherwise.
 */

/** Something the user may do about what is shown; the host gives the label and carries it out. */
export interface ActionView {
  readonly id: ActionId;
  readonly label: string;
}

/** Every action the page can ask the host for by id. */
export const actionIds = [
  'answer',
  'askAgain',
  'cancelQuestionAndSend',
  'giveUpAndSend',
  'chooseIntern',
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
  'switchToManual',
  'tellIntern',
] as const;
export type ActionId = (typeof actionIds)[number];

/** Something attached to a prompt: a file, a selection, terminal output or a problem. */
export interface AttachmentView {
  readonly id: string;
  /** Short name, with lines where it is a part of a file: `src/a.ts:10-20`. */
  readonly label: string;
}

/** Something attached to the prompt being written. */
export interface DraftAttachmentView extends AttachmentView {
  /** Characters (code points) that it adds to the prompt, as its limit counts them. */
  readonly characters: number;
}

export interface UserMessageView {
  readonly kind: 'user';
  readonly id: string;
  readonly at: number;
  /** Plain text, shown as typed. */
  readonly text: string;
  readonly attachments: readonly AttachmentView[];
  readonly mode: ApprovalMode;
  /** Whether `editLast` applies: the last prompt, and nothing runs. */
  readonly editable: boolean;
  /** An agent of the editor wrote it, and not the user. */
  readonly isByAgent?: true;
}

/** A part of the reply, in the order in which it came. */
export type PartView =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'reasoning';
      readonly text: string;
      readonly startedAt: number;
      /** Absent while the intern still thinks. */
      readonly endedAt?: number;
    }
  | { readonly kind: 'question'; readonly question: QuestionView };

/** A question the intern asked, as a card in the transcript; it is answered in native dialogs. */
export interface QuestionView {
  readonly id: string;
  readonly kind: 'permission' | 'elicitation' | 'unreadable';
  /** One line, plain text: what is asked. */
  readonly title: string;
  /** Plain text: the elicitation's message, or the raw arguments of an unreadable question. */
  readonly detail: string;
  readonly pending: boolean;
  /** What became of it, or what state it is in: `Waiting for you`, `Allowed once`, `Gone`. */
  readonly stateText: string;
  /** When the service probably gives up; only while pending and known. */
  readonly deadline?: number;
  readonly actions: readonly ActionView[];
}

/** Why a run failed, in words that say what to do; plain text. */
export interface FailureView {
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly ActionView[];
}

export type ReplyState = 'working' | 'waiting' | 'done' | 'failed' | 'stopped' | 'cut';

export interface InternMessageView {
  readonly kind: 'intern';
  readonly id: string;
  readonly at: number;
  /** The intern's name: the accessible name of the message starts with it. */
  readonly author: string;
  readonly state: ReplyState;
  readonly parts: readonly PartView[];
  /** `Model · 1,234 tokens in · 56 tokens out · $0.01 · Took 2s`; each item only where the service gave it. */
  readonly facts: readonly string[];
  /** Shown while the pointer rests on the facts, a line each. */
  readonly details: readonly string[];
  /** What the service calls the last response, to be copied; null where it gave no id. */
  readonly completion: string | null;
  readonly failure?: FailureView;
}

/** A line between messages that neither side said: `A new session starts here`. */
export interface NoticeView {
  readonly kind: 'notice';
  readonly id: string;
  readonly at: number;
  readonly text: string;
}

export type MessageView = UserMessageView | InternMessageView | NoticeView;

export interface QueuedPromptView {
  readonly id: string;
  readonly text: string;
  /** The approval mode in which it goes out, where that is not the one that is chosen now. */
  readonly mode?: ApprovalMode;
  /** It says why its user rejected what the intern asked. */
  readonly isReason?: true;
  readonly attachments: readonly AttachmentView[];
}

/** A passing state worth a line above the composer, with a countdown where `until` is given. */
export interface BannerView {
  readonly tone: 'info' | 'warning' | 'error';
  /** Plain text; `{time}` stands where the page puts what is left until `until` as m:ss. */
  readonly text: string;
  readonly until?: number;
  readonly actions: readonly ActionView[];
}

/** What the band of self-drive says: plain text, with `{time}` as in a banner. */
export type BandView = Pick<BannerView, 'text' | 'until'>;

/** The settings that a page needs, by their names after `interns.chat.`; the host passes them on as a whole. */
export interface PageSettings {
  /** How much of a reply screen readers announce. */
  readonly narration: 'sentences' | 'onCompletion' | 'off';
  /** The key that sends a prompt; with `ctrl+enter`, also ⌘↵. */
  readonly sendWith: 'enter' | 'ctrl+enter';
  /** Size of the text in CSS pixels; 0 is the editor's own. */
  readonly fontSize: number;
  /** The font features that code is set in, as CSS has them: the editor's own setting. */
  readonly codeFeatures: string;
}

/** What surrounds the transcript; sent whole whenever it changes. */
export interface StatusView {
  readonly title: string;
  readonly internName: string;
  readonly activity: 'idle' | 'working' | 'waiting' | 'holding';
  /** Whether Stop would do something: a run streams, is paused, or a prompt waits to be sent. */
  readonly canStop: boolean;
  readonly mode: ApprovalMode;
  /** False in an untrusted workspace. */
  readonly selfDriveAllowed: boolean;
  /** There from the start of a self-drive run until it has ended, and while the mode is self-drive. */
  readonly selfDriveBand: BandView | null;
  /** Whether nothing can be sent any more: the conversation was deleted in another window. */
  readonly readOnly: boolean;
  readonly banners: readonly BannerView[];
  readonly queue: readonly QueuedPromptView[];
  readonly queueHeld: boolean;
  /** Attachments of the prompt being written. */
  readonly attachments: readonly DraftAttachmentView[];
  readonly settings: PageSettings;
  /** What the conversation has cost, with its limit: plain text; empty where there is nothing to say. */
  readonly cost: string;
}

/** Colours of code in the editor's theme, as CSS writes them in `#` and digits; each only where the theme has it. */
export type CodeColours = Partial<
  Readonly<
    Record<
      | 'comment'
      | 'keyword'
      | 'literal'
      | 'string'
      | 'regexp'
      | 'number'
      | 'function'
      | 'class'
      | 'type'
      | 'variable'
      | 'tag'
      | 'attribute',
      string
    >
  >
>;

/** Where the reader was: a message and how far its top is above the viewport's, in CSS pixels; null is the end. */
export interface ScrollPlace {
  readonly message: string;
  readonly offset: number;
}

/** The whole, or rather its end: earlier messages are asked for as the reader reaches them. */
export interface SnapshotView {
  readonly status: StatusView;
  readonly messages: readonly MessageView[];
  /** How many messages stand before `messages[0]`. */
  readonly earlier: number;
  readonly draft: string;
  readonly scroll: ScrollPlace | null;
  /** Whether all of the replies is shown as plain text: the page hung when it drew them last. */
  readonly isPlain: boolean;
  /** The last prompts that the user wrote in this conversation, oldest first, for recall with the arrow keys. */
  readonly recall: readonly string[];
}

/** One difference; applied in order. */
export type Change =
  | { readonly kind: 'add'; readonly message: MessageView }
  | { readonly kind: 'replace'; readonly message: MessageView }
  /** Everything of an intern's message but its parts: state, facts, failure. */
  | { readonly kind: 'header'; readonly message: Omit<InternMessageView, 'parts'> }
  /** Sets the part at `index` of an intern's message; `index` may be the next free one. */
  | { readonly kind: 'part'; readonly id: string; readonly index: number; readonly part: PartView }
  /** Appends to the text of the part at index `part` of an intern's message. */
  | { readonly kind: 'append'; readonly id: string; readonly part: number; readonly text: string }
  | { readonly kind: 'status'; readonly status: StatusView };
