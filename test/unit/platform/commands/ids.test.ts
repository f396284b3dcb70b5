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

  it('the manifest declares the same commands as the code', () => {
    const declared = contributes.commands.map(({ command }) => command);
    assert.deepEqual(declared.sort(), Object.keys(commands).sort());
    assert.equal(new Set(declared).size, declared.length);
  });

  it('every command has a title that can be translated', () => {
    const titles = readJson('package.nls.json') as Record<string, string>;
    for (const { command, title } of contributes.commands) {
      assert.match(title, /^%.+%$/, command);
      assert.ok(titles[title.slice(1, -1)], command);
    }
  });
});

const [a, b, c] = [{ intern: 'a' }, { intern: 'b' }, { intern: 'c' }];
const card = { intern: 'a', conversation: 'c', question: 'q' };
const opening = { prompt: 'Hello', message: 'm' };
const uri = { scheme: 'file', path: '/a/.env' };
const group = { id: 'workingTree', resourceStates: [{ resourceUri: uri }] };

describe('the arguments of a command', () => {
  for (const [title, id, given, expected] of [
    ['keep only known fields', 'removeIntern', [{ ...a, label: 'Ada' }], [[a]]],
    ['name a question', 'answer', [card], [[card]]],
    ['start with the clicked item', 'removeIntern', [b, [a, { ...b }, c]], [[b, a, c]]],
    ['are the clicked item without a selection', 'removeIntern', [b, undefined], [[b]]],
    ['are the clicked item with an empty selection', 'removeIntern', [b, []], [[b]]],
    ['skip items of other kinds', 'removeIntern', [{ creation: 'c' }, [a, {}, b]], [[a, b]]],
    ['are empty if none are given', 'removeIntern', [], [[]]],
    ['are dropped if the command takes none', 'showLog', ['anything'], []],
    ['say what a chat shows', 'openChat', [{ ...a, ...opening }], [[a], opening]],
    ['say what a chat shows without an intern', 'openChat', [opening], [[], opening]],
    ['skip a prompt that is no text', 'openChat', [{ ...a, prompt: 7 }], [[a], {}]],
    ['may be a repository', 'sendChanges', [{ id: 'git', rootUri: uri }], [{ within: uri }]],
    ['may be a group', 'sendChanges', [group], [{ within: uri, changes: 'unstaged' }]],
    ['skip unknown groups', 'sendChanges', [{ ...group, id: 'merge' }], [{}]],
    ['skip a repository without a folder', 'sendChanges', [{ rootUri: undefined }], [{}]],
    ['may be a file of the explorer', 'importSecrets', [uri, [uri]], [[uri]]],
    ['skip a file without a scheme', 'importSecrets', [{ path: '/a' }], [[]]],
  ] as const)
    it(`the arguments ${title}`, () => {
      assert.deepEqual(commands[`interns.${id}`](given), expected);
    });

  for (const foreign of [undefined, null, 'a', 7, {}, { intern: 7 }, { secret: 'a' }, [{}]])
    it(`the arguments skip ${JSON.stringify(foreign)}`, () => {
      assert.deepEqual(commands['interns.removeIntern']([foreign]), [[]]);
    });
});
