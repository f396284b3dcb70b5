import * as vscode from 'vscode';
import type { ApprovalMode } from '../base/approvalMode.ts';
import type { PageSettings } from '../protocol/view.ts';

const SECTION = 'interns';

/** Reads each setting when it is asked for: nothing is read at start-up, and nothing here can be stale. */
export class Settings {
  /** The service URL that sign-in uses; empty if sign-in asks. */
  get baseUrl(): string {
    return text('baseUrl');
  }

  /** The mode of a new conversation. `manual` unless the value is `self-drive`: a typo errs on the safe side. */
  get approvalMode(): ApprovalMode {
    return oneOf('approvalMode', ['manual', 'self-drive']);
  }

  /** Name of the header that carries the idempotency key of a create; empty sends none. */
  get idempotencyHeader(): string {
    return text('idempotencyHeader');
  }

  /** A run that took at least this many seconds notifies when it ends out of sight; 0 never does. */
  get notifyAfterSeconds(): number {
    return amount('notifyAfterSeconds', 60);
  }

  /** Minutes without the focus after which the user is told what happened meanwhile; 0 never does. */
  get digestAfterMinutes(): number {
    return amount('digestAfterMinutes', 10);
  }

  /** The settings of chat pages. Nothing between here and the page names them one by one. */
  get page(): PageSettings {
    const fontSize = amount('chat.fontSize', 0);
    return {
      narration: oneOf('chat.narration', ['sentences', 'onCompletion', 'off']),
      sendWith: oneOf('chat.sendWith', ['enter', 'ctrl+enter']),
      // No text is smaller or larger than an editor's may be.
      fontSize: fontSize === 0 ? 0 : Math.min(Math.max(fontSize, 6), 100),
      codeFeatures: codeFeatures(),
    };
  }

  /** Folders with prompt files, relative to those of the workspace. @param folder of the workspace, which may have its own */
  promptFolders(folder?: vscode.Uri): readonly string[] {
    const value = read('promptFolders', folder);
    const names: unknown[] = Array.isArray(value) ? value : [];
    return names.filter((name): name is string => typeof name === 'string' && name !== '');
  }

  /** Calls back when {@link page} may have changed. */
  onDidChangePage(listener: () => void): vscode.Disposable {
    return vscode.workspace.onDidChangeConfiguration((change) => {
      const sections = [`${SECTION}.chat`, 'editor.fontLigatures'];
      if (sections.some((section) => change.affectsConfiguration(section))) listener();
    });
  }
}

/** The font features that code is set in, as CSS has them: those of the editor, which VS Code doesn't pass to pages. */
function codeFeatures(): string {
  const ligatures: unknown = vscode.workspace.getConfiguration().get('editor.fontLigatures');
  if (typeof ligatures === 'string' && ligatures.trim() !== '' && ligatures !== 'false')
    return ligatures === 'true' ? '"liga" on, "calt" on' : ligatures;
  return ligatures === true ? '"liga" on, "calt" on' : '"liga" off, "calt" off';
}

function read(name: string, folder?: vscode.Uri): unknown {
  return vscode.workspace.getConfiguration(SECTION, folder).get(name);
}

/** A string setting; empty if settings.json holds something else. */
function text(name: string): string {
  const value = read(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** A setting with a list of values; the first of them if settings.json holds something else. */
function oneOf<const T extends string>(name: string, values: readonly [T, ...T[]]): T {
  const value = read(name);
  return values.find((each) => each === value) ?? values[0];
}

/** A setting that is a number of 0 or more; `otherwise` if settings.json holds something else. */
function amount(name: string, otherwise: number): number {
  const value = read(name);
  return typeof value === 'number' && value >= 0 ? value : otherwise;
}
