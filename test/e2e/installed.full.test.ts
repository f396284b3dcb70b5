import assert from 'node:assert/strict';
import { until } from '../harness/until.ts';
import { openVSCode, type VSCodeWindow } from '../harness/window.ts';

for (const release of ['newest', 'oldest'] as const) {
  describe(`the installed VSIX on the ${release} VS Code`, () => {
    let window: VSCodeWindow;

    before(async () => {
      window = await openVSCode({ release });
    });

    after(() => window.close());

    it('has a page of details without a gap where a picture cannot be shown', async () => {
      await window.page.keyboard.press('ControlOrMeta+Shift+X');
      const rows = window.page.locator('.extension-list-item .name', { hasText: /^Interns$/ });
      await rows.first().dblclick();
      const details = await until('the page of details', async () => {
        for (const frame of window.page.frames())
          if (await frame.getByRole('heading', { name: 'Interns for VS Code' }).isVisible())
            return frame;
        return undefined;
      });
      const gaps = await details.evaluate<readonly string[]>(
        '[...document.images].filter((picture) => picture.naturalWidth === 0).map(({ alt }) => alt)',
      );
      assert.deepEqual(gaps, []);
    });
  });
}
