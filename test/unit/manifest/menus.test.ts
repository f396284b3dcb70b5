import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

interface Item {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

interface Command {
  readonly command: string;
  readonly icon?: string;
  readonly enablement?: string;
}

interface Welcome {
  readonly view: string;
  readonly contents: string;
  readonly when: string;
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly Command[];
    readonly keybindings: readonly Item[];
    readonly menus: Readonly<Record<string, readonly Item[]>>;
    readonly viewsWelcome: readonly Welcome[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const manifest = read('package.json');
const { commands, keybindings, menus, views, viewsWelcome } = (JSON.parse(manifest) as Manifest)
  .contributes;
const { commandPalette = [], ...otherMenus } = menus;

const find = (menu: string, command: string): readonly Item[] =>
  (menus[menu] ?? []).filter((item) => item.command === command);

/** Returns whether a clause holds for rows of a kind: it compares `viewItem` or matches it. */
function isShownOn(row: string, when = ''): boolean {
  const [, equal, pattern] = /viewItem (?:== (\S+)|=~ \/(.+)\/)/.exec(when) ?? [];
  return pattern === undefined ? equal === row : new RegExp(pattern).test(row);
}

/** Returns whether a clause of keys, `!` and `&&` holds if these keys are true. */
function holds(clause: string, keys: readonly string[]): boolean {
  const terms = clause.split(' && ');
  return terms.every((term) => keys.includes(term.replace('!', '')) !== term.startsWith('!'));
}

describe('menus', () => {
  it('the explorer hides commands for files on folders', () => {
    for (const command of ['createFromFile', 'importSecrets', 'sendSelection']) {
      const [item] = find('explorer/context', `interns.${command}`);
      assert.match(item?.when ?? '', /!explorerResourceIsFolder/, command);
    }
  });

  it('the row of a legacy secret offers to store it again', () => {
    const inline = find('view/item/context', 'interns.setSecret').filter(({ group }) =>
      group?.startsWith('inline'),
    );
    assert.deepEqual(
      inline.map(({ when }) => when),
      ['view == interns.secrets && viewItem == secret.legacy'],
    );
  });

  it('the buttons of a row have different icons', () => {
    const rows = ['intern', 'creation', 'waiting.plain.unread', 'finished.plain', 'secret'];
    const inline = (menus['view/item/context'] ?? []).filter(({ group }) =>
      group?.startsWith('inline'),
    );
    for (const row of rows) {
      const icons = inline
        .filter(({ when }) => isShownOn(row, when))
        .map((item) => commands.find(({ command }) => command === item.command)?.icon);
      assert.equal(new Set(icons).size, icons.length, `${row}: ${icons.join(', ')}`);
    }
  });

  it('the row of a run offers Stop though no run is open in this window', () => {
    const { enablement } = commands.find(({ command }) => command === 'interns.stop')!;
    assert.equal(enablement, undefined);
    assert.equal(find('view/item/context', 'interns.stop').length, 1);
  });

  it('the empty list of conversations offers to create an intern if there is none', () => {
    const shown = (...keys: readonly string[]) =>
      viewsWelcome
        .filter(({ view, when }) => view === 'interns.conversations' && holds(when, keys))
        .map(({ contents }) => contents);
    const none = 'interns.noConversations';
    assert.deepEqual(shown(none), ['%welcome.noInterns%']);
    const key = 'interns.hasInterns';
    assert.deepEqual(shown(none, key), ['%welcome.noConversationsHere%']);
    assert.deepEqual(shown(none, key, 'interns.allWorkspacesShown'), ['%welcome.noConversations%']);
    for (const keys of [[], [key]])
      assert.deepEqual(shown(none, ...keys, 'interns.conversationsFiltered'), []);
  });

  it('an empty view says that there is nothing only once its list is read', () => {
    const shown = (...keys: readonly string[]) =>
      viewsWelcome
        .filter(({ when }) => holds(when, ['interns.accountsLoaded', 'interns.signedIn', ...keys]))
        .map(({ view }) => view);
    for (const keys of [[], ['interns.hasInterns'], ['interns.allWorkspacesShown']])
      assert.deepEqual(shown(...keys), []);
    assert.deepEqual(shown('interns.noInterns'), ['interns.interns']);
    assert.deepEqual(shown('interns.noConversations'), ['interns.conversations']);
    assert.deepEqual(shown('interns.noSecrets'), ['interns.secrets']);
  });

  it('an empty view invites to sign in only once the accounts are read', () => {
    const shown = (...keys: readonly string[]) =>
      viewsWelcome
        .filter(({ contents, when }) => contents.includes('ignedOut') && holds(when, keys))
        .map(({ view }) => view);
    assert.deepEqual(shown(), []);
    assert.deepEqual(shown('interns.accountsLoaded'), ['interns.interns', 'interns.secrets']);
    assert.deepEqual(shown('interns.accountsLoaded', 'interns.signedIn'), []);
  });

  it('a key in an empty list does not change the conversation of the active chat', () => {
    const keys = keybindings.filter(({ when }) => when?.includes('focusedView =='));
    assert.deepEqual(
      keys.map(({ command }) => command),
      ['interns.renameSession', 'interns.deleteSession'],
    );
    // Without a focused row, VS Code passes none, as the palette does.
    for (const { when } of keys) assert.match(when ?? '', /&& listHasSelectionOrFocus\b/);
  });

  it('clauses use only context keys that the extension sets', () => {
    const declared = read('src/platform/contextKeys.ts');
    const clauses = manifest.match(/"(?:when|enablement)": .*|"onContext:.*/g) ?? [];
    // `view == interns.secrets` and `'interns.chat'` are names of views and tabs.
    const keys = clauses.flatMap((clause) => clause.match(/(?<!(==|!=) '?)interns\.\w+/g) ?? []);
    for (const key of new Set(keys)) assert.ok(declared.includes(`'${key}'`), key);
  });

  it('menus, keys and texts name only commands and views of the manifest', () => {
    const declared = new Set([
      ...commands.map(({ command }) => command),
      ...Object.values(views).flatMap((all) => all.map(({ id }) => id)),
    ]);
    const named = [
      ...[...Object.values(menus).flat(), ...keybindings].map(({ command }) => command),
      ...(read('package.nls.json').match(/(?<=\(command:)[\w.]+/g) ?? []),
      ...(manifest.match(/(?<=view == |"view": ")[\w.]+/gi) ?? []),
    ];
    assert.deepEqual(
      named.filter((name) => !declared.has(name)),
      [],
    );
  });
});

describe('the command palette', () => {
  const clauseOf = (id: string) => commandPalette.find(({ command }) => command === id)?.when;
  const [hidden, shown] = [true, false].map((isHidden) =>
    commands.filter(({ command }) => (clauseOf(command) === 'false') === isHidden),
  ) as [Command[], Command[]];

  it('the palette has at most 50 commands', () => {
    assert.ok(shown.length <= 50, String(shown.length));
  });

  it('the palette hides each command that cannot work', () => {
    const always = shown.filter(
      ({ command, enablement }) => (enablement ?? clauseOf(command)) === undefined,
    );
    assert.deepEqual(
      always.map(({ command }) => command),
      ['signIn', 'showLog', 'copyDiagnostics', 'checkConnection'].map((id) => `interns.${id}`),
    );
  });

  it('typing Open Chat into the palette of a new window selects no longer title first', () => {
    const titles = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
    // VS Code sorts by title, and selects the first row.
    const others = shown
      .filter(({ command }) => clauseOf(command) === undefined)
      .map(({ command }) => titles[command.replace('interns.', 'command.')] ?? '')
      .filter((title) => title.startsWith('Open Chat') && title !== 'Open Chat…');
    assert.deepEqual(others, []);
  });

  it('a command outside the palette is in a menu or has a key', () => {
    const reachable = new Set(
      [...Object.values(otherMenus).flat(), ...keybindings].map(({ command }) => command),
    );
    const others = hidden.filter(({ command }) => !reachable.has(command));
    // A lightbulb runs the first one, a row of a view the second one.
    assert.deepEqual(
      others.map(({ command }) => command),
      ['interns.storeEnvEntry', 'interns.showMore'],
    );
  });
});
