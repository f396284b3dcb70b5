/**
 * What unit tests see in place of the module `vscode`: the few parts of it that work without an editor. Whatever shows
 * something is tested in the extension host.
 */

export const env = { language: 'en' };

export const l10n = {
  /** The English text with `{0}`, `{1}` filled in, as VS Code does where there is no translation. */
  t: (message: string, ...args: readonly (string | number | boolean)[]): string =>
    message.replace(/\{(\d+)\}/g, (whole, index) => String(args[Number(index)] ?? whole)),
};

export class ThemeIcon {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeColor extends ThemeIcon {}

export class CancellationError extends Error {}

export const window = {};
export const workspace = {};
export const commands = {};
