import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ThemeColors } from '../../src/platform/theme/themeColors.ts';
import type { CodeColours } from '../../src/protocol/view.ts';

const settings = (): vscode.WorkspaceConfiguration =>
  vscode.workspace.getConfiguration('workbench');

describe("the colours of the editor's theme", () => {
  let colours: ThemeColors;
  const logged: string[] = [];

  beforeEach(() => {
    colours = new ThemeColors({ warn: (message) => logged.push(message) });
  });

  afterEach(async () => {
    colours.dispose();
    await settings().update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
    assert.deepEqual(logged, []);
  });

  /** Chooses a theme and waits until its colours are told. */
  async function choose(theme: string): Promise<CodeColours> {
    const changed = new Promise<CodeColours>((resolve) => {
      const listening = colours.onDidChange((told) => {
        listening.dispose();
        resolve(told);
      });
    });
    await settings().update('colorTheme', theme, vscode.ConfigurationTarget.Global);
    return changed;
  }

  it('are read from the extension that brings it, with all that it builds upon, and told when it changes', async () => {
    await colours.get();
    const dark = await choose('Monokai');
    assert.deepEqual([dark.comment, dark.string], ['#88846f', '#E6DB74']);
    const light = await choose('Solarized Light');
    assert.equal(light.keyword, '#859900');
    // Builds upon two other files.
    const modern = await choose('Default Dark Modern');
    assert.deepEqual([modern.comment, modern.function], ['#6A9955', '#DCDCAA']);
    assert.deepEqual(await colours.get(), modern);
  });
});
