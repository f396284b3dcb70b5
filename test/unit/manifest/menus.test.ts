import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

interface Item {
  readonly command: string;
  readonly when: string;
  readonly group: string;
}

interface Manifest {
  readonly contributes: {
    readonly menus: Readonly<Record<string, readonly Item[]>>;
  };
}

describe('menus', () => {
  const manifest = new URL('../../../package.json', import.meta.url);
  const { menus } = (JSON.parse(readFileSync(manifest, 'utf8')) as Manifest).contributes;
  const find = (menu: string, command: string): readonly Item[] =>
    (menus[menu] ?? []).filter((item) => item.command === command);

  it('the explorer hides commands for files on folders', () => {
    for (const command of ['createFromFile', 'importSecrets', 'sendSelection']) {
      const [item] = find('explorer/context', `interns.${command}`);
      assert.match(item?.when ?? '', /!explorerResourceIsFolder/, command);
    }
  });

  it('the row of a legacy secret offers to store it again', () => {
    const inline = find('view/item/context', 'interns.setSecret').filter(({ group }) =>
      group.startsWith('inline'),
    );
    assert.deepEqual(
      inline.map(({ when }) => when),
      ['view == interns.secrets && viewItem == secret.legacy'],
    );
  });
});
