import * as vscode from 'vscode';
import type { ApprovalMode } from '../api/index.ts';
import type { Narration, SendWith } from '../protocol/view.ts';

const SECTION = 'interns';
/** The editor's own setting of ligatures in code. */
const LIGATURES = 'editor.fontLigatures';

/** The settings of this extension, by their names in package.json. */
interface SettingValues {
  /** The API root that sign-in uses; empty where sign-in asks. */
  baseUrl: string;
  /** The mode of a new conversation. */
  approvalMode: ApprovalMode;
  /** Name of the header that carries the idempotency key of a create; empty sends none. */
  idempotencyHeader: string;
  /** A run that took at least so many seconds notifies when it ends out of sight; 0 never does. */
  notifyAfterSeconds: number;
  /** After so many minutes without the focus it is told what happened meanwhile; 0 never does. */
  digestAfterMinutes: number;
  /** What of replies screen readers are given. */
  'chat.narration': Narration;
  /** Which key sends a prompt. */
  'chat.sendWith': SendWith;
  /** Size of the text of chats in CSS pixels; 0 is the editor's own. */
  'chat.fontSize': number;
  /** Folders with prompt files, relative to those of the workspace. */
  promptFolders: readonly string[];
}

/** Reads each setting when it is asked for: nothing is read at start-up, and nothing here can be stale. */
export class Settings {
  get baseUrl(): string {
    return text('baseUrl').trim();
  }

  /** `manual` for every value but `self-drive`, so that a slip in settings.json errs on the safe side. */
  get approvalMode(): ApprovalMode {
    return text('approvalMode') === 'self-drive' ? 'self-drive' : 'manual';
  }

  get idempotencyHeader(): string {
    return text('idempotencyHeader').trim();
  }

  /** 60 for every value that is not a number of seconds. */
  get notifyAfterSeconds(): number {
    return amount('notifyAfterSeconds', 60);
  }

  /** 10 for every value that is not a number of minutes. */
  get digestAfterMinutes(): number {
    return amount('digestAfterMinutes', 10);
  }

  /** `sentences` for every value that is none of the three. */
  get narration(): Narration {
    const value = text('chat.narration');
    return value === 'onCompletion' || value === 'off' ? value : 'sentences';
  }

  /** `enter` for every value but `ctrl+enter`. */
  get sendWith(): SendWith {
    return text('chat.sendWith') === 'ctrl+enter' ? 'ctrl+enter' : 'enter';
  }

  /** 0 for every value that is not a size; no text is smaller or larger than an editor's may be. */
  get fontSize(): number {
    const size = amount('chat.fontSize', 0);
    return size === 0 ? 0 : Math.min(Math.max(size, 6), 100);
  }

  /** The features that code is set in, as CSS has them: those of the editor, which pages are not told of. */
  get codeFeatures(): string {
    const ligatures: unknown = vscode.workspace.getConfiguration().get(LIGATURES);
    if (typeof ligatures === 'string' && ligatures.trim() !== '' && ligatures !== 'false')
      return ligatures === 'true' ? '"liga" on, "calt" on' : ligatures;
    return ligatures === true ? '"liga" on, "calt" on' : '"liga" off, "calt" off';
  }

  /** What is no text in the list is left out. @param folder of the workspace, which may have its own */
  promptFolders(folder?: vscode.Uri): readonly string[] {
    const value: unknown = vscode.workspace.getConfiguration(SECTION, folder).get('promptFolders');
    const names: unknown[] = Array.isArray(value) ? value : [];
    return names.filter((name): name is string => typeof name === 'string' && name !== '');
  }

  /** All values, for diagnostics. */
  get all(): SettingValues {
    return {
      baseUrl: this.baseUrl,
      approvalMode: this.approvalMode,
      idempotencyHeader: this.idempotencyHeader,
      notifyAfterSeconds: this.notifyAfterSeconds,
      digestAfterMinutes: this.digestAfterMinutes,
      'chat.narration': this.narration,
      'chat.sendWith': this.sendWith,
      'chat.fontSize': this.fontSize,
      promptFolders: this.promptFolders(),
    };
  }

  /** Calls back when the value of one setting, or what {@link codeFeatures} go by, may have changed. */
  onDidChange(
    name: keyof SettingValues | typeof LIGATURES,
    listener: () => void,
  ): vscode.Disposable {
    return vscode.workspace.onDidChangeConfiguration((change) => {
      const id = name === LIGATURES ? name : `${SECTION}.${name}`;
      if (change.affectsConfiguration(id)) listener();
    });
  }
}

/** A string setting; empty where settings.json holds something else. */
function text(name: keyof SettingValues): string {
  const value: unknown = vscode.workspace.getConfiguration(SECTION).get(name);
  return typeof value === 'string' ? value : '';
}

/** A setting that is a number of 0 or more; `otherwise` where settings.json holds something else. */
function amount(name: keyof SettingValues, otherwise: number): number {
  const value: unknown = vscode.workspace.getConfiguration(SECTION).get(name);
  return typeof value === 'number' && value >= 0 ? value : otherwise;
}
