import { globSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../../harness/paths.ts';
import { runQuietly } from '../../../harness/processes.ts';

/** The tests of code that deals with paths and files. */
const suites = [
  'test/unit/platform/storage/{files,journalFile,jsonFolder,layout,ownerFile}.test.ts',
  'test/unit/platform/keeper/{foreignKeeper,frameReader,windowMarks}.test.ts',
  'test/unit/platform/{notifications/userAttention,dialogs/editText}.test.ts',
  'test/unit/streamKeeper/{responseRecorder,responseWriter}.test.ts',
  'test/unit/features/{accounts/signOut,conversations/conversationRecord}.test.ts',
  'test/unit/features/{editor/workspaceFiles,context/privateFiles}.test.ts',
];

/** Tests of thousands of files, which show nothing more here. */
const large = '5,000 records|1,000 random changes';

const support = path.join('test', 'unit', 'support');
const hooks = [path.join(support, 'vscodeHook.ts'), path.join(support, 'windows', 'hook.ts')];

describe('The tests of paths and files', () => {
  it('the tests pass with the paths of Windows and files that a scanner holds open', async () => {
    const files = globSync(suites, { cwd: projectFolder });
    const mocha = path.join(projectFolder, 'node_modules', 'mocha', 'bin', 'mocha.js');
    const options = [
      '--no-config',
      '--extension',
      'ts',
      '--timeout',
      '30000',
      '--grep',
      large,
      '--invert',
    ];
    const required = hooks.flatMap((hook) => ['--require', `./${hook}`]);
    await runQuietly(process.execPath, [mocha, ...options, ...required, ...files]);
  }).timeout(180_000);
});
