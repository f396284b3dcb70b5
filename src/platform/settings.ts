import * as vscode from 'vscode';
import { APPROVAL_MODES, type ApprovalMode } from '../base/approvalMode.ts';
import type { PageSettings } from '../protocol/view.ts';

const SETTINGS_SECTION = 'interns';

/** The settings of the extension. Each is read on access, so none can be stale. */
export class Settings {
  /** Service URL for sign-in; empty if sign-in asks for it. */
  get baseUrl(): string {
    return text('baseUrl');
  }

  /** Mode of a new conversation. A value that is not known counts as `manual`, the safe one. */
  get approvalMode(): ApprovalMode {
    return oneOf('approvalMode', APPROVAL_MODES);
  }

  /** Cost limit of a new conversation in USD; 0 means none. */
  get costLimit(): number {
    return amount('costLimit', 0);
  }

  /** Cost limit of all conversations of an account on one day in USD; 0 means none. */
  get dailyCostLimit(): number {
    return amount('dailyCostLimit', 0);
  }

  /** Name of the header for the idempotency key of a create; empty sends none. */
  get idempotencyHeader(): string {
    return text('idempotencyHeader');
  }

  /** The events that show a notification of the operating system while no window has the focus. */
  get systemNotifications(): 'questions' | 'questionsAndRuns' | 'off' {
    return oneOf('systemNotifications', ['questions', 'questionsAndRuns', 'off']);
  }

  /** Seconds that a run must take to notify when it ends in a hidden chat; 0 means never. */
  get notifyAfterSeconds(): number {
    return amount('notifyAfterSeconds', 60);
  }

  /** Minutes without focus after which the activity summary appears; 0 means never. */
  get digestAfterMinutes(): number {
    return amount('digestAfterMinutes', 10);
  }

  /** How long runs continue without a window. With `auto`, no keeper blocks an update of VS Code on Windows. */
  get keepRuns(): 'always' | 'untilClosed' | 'never' {
    const value = oneOf('keepRuns', ['auto', 'always', 'untilClosed', 'never']);
    if (value !== 'auto') return value;
    return process.platform === 'win32' ? 'untilClosed' : 'always';
  }

  /** The proxy of VS Code's own settings. Some networks need it to reach the service. */
  get proxy(): { readonly url: string; readonly bypass: string } | undefined {
    const http = vscode.workspace.getConfiguration('http');
    const url: unknown = http.get('proxy');
    const bypass: unknown = http.get('noProxy');
    if (typeof url !== 'string' || url.trim() === '') return undefined;
    return { url: url.trim(), bypass: Array.isArray(bypass) ? bypass.join(',') : '' };
  }

  get page(): PageSettings {
    const fontSize = amount('chat.fontSize', 0);
    return {
      narration: oneOf('chat.narration', ['sentences', 'onCompletion', 'off']),
      speechRate: Math.min(Math.max(amount('chat.speechRate', 30), 5), 200),
      escapeStops: read('chat.escapeStops') !== false,
      sendWith: oneOf('chat.sendWith', ['enter', 'ctrl+enter']),
      // The limits of `editor.fontSize`.
      fontSize: fontSize === 0 ? 0 : Math.min(Math.max(fontSize, 6), 100),
      codeFeatures: codeFeatures(),
    };
  }

  /** Returns the folders with prompt files, relative to a workspace folder. */
  promptFolders(folder?: vscode.Uri): readonly string[] {
    const value = read('promptFolders', folder);
    const names: unknown[] = Array.isArray(value) ? value : [];
    return names.filter((name): name is string => typeof name === 'string' && name !== '');
  }

  /** Calls back when {@link Settings.keepRuns} may have changed. */
  onDidChangeKeepRuns(listener: () => void): vscode.Disposable {
    return vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${SETTINGS_SECTION}.keepRuns`)) listener();
    });
  }

  /** Calls back when {@link Settings.page} may have changed. */
  onDidChangePage(listener: () => void): vscode.Disposable {
    return vscode.workspace.onDidChangeConfiguration((change) => {
      const sections = [`${SETTINGS_SECTION}.chat`, 'editor.fontLigatures'];
      if (sections.some((section) => change.affectsConfiguration(section))) listener();
    });
  }
}

/** Returns `editor.fontLigatures` as CSS `font-feature-settings`. VS Code does not pass it to pages. */
function codeFeatures(): string {
  const ligatures: unknown = vscode.workspace.getConfiguration().get('editor.fontLigatures');
  if (ligatures === true || ligatures === 'true') return '"liga" on, "calt" on';
  if (typeof ligatures === 'string' && ligatures.trim() !== '' && ligatures !== 'false')
    return ligatures;
  return '"liga" off, "calt" off';
}

function read(name: string, folder?: vscode.Uri): unknown {
  return vscode.workspace.getConfiguration(SETTINGS_SECTION, folder).get(name);
}

/** Reads a string; empty if settings.json holds another type. */
function text(name: string): string {
  const value = read(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** Reads one of the listed values; the first one if settings.json holds something else. */
function oneOf<const T extends string>(name: string, values: readonly [T, ...T[]]): T {
  const value = read(name);
  return values.find((each) => each === value) ?? values[0];
}

/** Reads a number of 0 or more; `fallback` if settings.json holds something else. */
function amount(name: string, fallback: number): number {
  const value = read(name);
  return typeof value === 'number' && value >= 0 ? value : fallback;
}
