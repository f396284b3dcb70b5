import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { commands } from '../../../../src/platform/commands/ids.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
  };
}

const project = new URL('../../../../', import.meta.url);

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, project), 'utf8'));
}

describe('commands', () => {
  const { contributes } = readJson('package.json') as Manifest;

  it('are the same in the code and in the manifest, so that none is dead and none is hidden', () => {
    const declared = contributes.commands.map(({ command }) => command);
    assert.deepEqual(declared.sort(), Object.keys(commands).sort());
    assert.equal(new Set(declared).size, declared.length);
  });

  it('each have a title that can be translated', () => {
    const titles = readJson('package.nls.json') as Record<string, string>;
    for (const { command, title } of contributes.commands) {
      assert.match(title, /^%.+%$/, command);
      assert.ok(titles[title.slice(1, -1)], command);
    }
  });
});

describe('the arguments of a command', () => {
  const remove = commands['interns.removeIntern'];

  it('are the tree item that it was called on, with nothing but what the command needs', () => {
    assert.deepEqual(remove([{ intern: 'a', label: 'Ada', secret: 'x' }]), [[{ intern: 'a' }]]);
  });

  it('name the question whose button was pressed, where a conversation asks several', () => {
    const card = { intern: 'a', conversation: 'c', question: 'q' };
    assert.deepEqual(commands['interns.answer']([card]), [[card]]);
  });

  it('are all selected items where there are several, the clicked one first: a command on one means that one', () => {
    const [a, b, c] = [{ intern: 'a' }, { intern: 'b' }, { intern: 'c' }];
    assert.deepEqual(remove([b, [a, { ...b }, c]]), [[b, a, c]]);
    assert.deepEqual(remove([b, undefined]), [[b]]);
    assert.deepEqual(remove([b, []]), [[b]]);
  });

  it('keep their order where the clicked one is of another kind', () => {
    const [a, b] = [{ intern: 'a' }, { intern: 'b' }];
    assert.deepEqual(remove([{ creation: 'c' }, [a, { creation: 'c' }, b]]), [[a, b]]);
  });

  it('are none where it was called with something else, so that it asks', () => {
    for (const foreign of [undefined, null, 'a', 7, {}, { intern: 7 }, { secret: 'a' }, [{}]])
      assert.deepEqual(remove([foreign]), [[]], JSON.stringify(foreign));
    assert.deepEqual(remove([]), [[]]);
    assert.deepEqual(commands['interns.showLog'](['anything']), []);
  });

  it('that open a chat may say what is shown in it, also without an intern, which is asked for then', () => {
    const open = commands['interns.openChat'];
    const opening = { prompt: 'Hello', message: 'm' };
    assert.deepEqual(open([{ intern: 'a', ...opening }]), [[{ intern: 'a' }], opening]);
    assert.deepEqual(open([opening]), [[], opening]);
    assert.deepEqual(open([{ intern: 'a', prompt: 7 }]), [[{ intern: 'a' }], {}]);
    assert.deepEqual(open([]), [[], {}]);
  });

  it('may be a repository of Source Control, or a group of its changes', () => {
    const read = commands['interns.sendChanges'];
    const uri = { scheme: 'file', path: '/a' };
    assert.deepEqual(read([{ id: 'git', rootUri: uri }]), [{ within: uri }]);
    const group = { id: 'workingTree', resourceStates: [{ resourceUri: uri }] };
    assert.deepEqual(read([group]), [{ within: uri, changes: 'unstaged' }]);
    for (const foreign of [undefined, { ...group, id: 'merge' }, { rootUri: undefined }])
      assert.deepEqual(read([foreign]), [{}]);
  });

  it('may be a file of the explorer', () => {
    const uri = { scheme: 'file', path: '/a/.env', fsPath: '/a/.env' };
    assert.deepEqual(commands['interns.importSecrets']([uri, [uri]]), [[uri]]);
    assert.deepEqual(commands['interns.importSecrets']([{ path: '/a' }]), [[]]);
  });
});
