import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ThemeColors } from '../../src/platform/theme/themeColors.ts';
import type { CodeColors } from '../../src/protocol/view.ts';

const settings = (): vscode.WorkspaceConfiguration =>
  vscode.workspace.getConfiguration('workbench');

describe("the colors of the editor's theme", () => {
  let colors: ThemeColors;
  const logged: string[] = [];

  beforeEach(() => {
    colors = new ThemeColors({ warn: (message) => logged.push(message) });
  });

  afterEach(async () => {
    colors.dispose();
    await settings().update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
    assert.deepEqual(logged, []);
  });

  /** Selects a theme and waits for its colors. */
  async function choose(theme: string): Promise<CodeColors> {
    const next = new Promise<CodeColors>((resolve) => {
      const listening = colors.onDidChange((changed) => {
        listening.dispose();
        resolve(changed);
      });
    });
    await settings().update('colorTheme', theme, vscode.ConfigurationTarget.Global);
    return next;
  }

  it('the extension reads the colors of a theme from its extension and base themes', async () => {
    await colors.get();
    const dark = await choose('Monokai');
    assert.deepEqual([dark.comment, dark.string], ['#88846f', '#E6DB74']);
    const light = await choose('Solarized Light');
    assert.equal(light.keyword, '#859900');
    // Includes two other files.
    const modern = await choose('Default Dark Modern');
    assert.deepEqual([modern.comment, modern.function], ['#6A9955', '#DCDCAA']);
    assert.deepEqual(await colors.get(), modern);
  });
});
