import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PromptFiles } from '../../../../src/features/context/promptFiles.ts';
import type {
  Dialogs,
  InputOptions,
  StepResult,
} from '../../../../src/platform/dialogs/dialogs.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { openFolders } from '../../support/stubFolders.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('prompt files', () => {
  const stub = useStubs();
  let ran: unknown[];
  let asked: string[];
  let answer: StepResult<string>;
  let files: PromptFiles;

  beforeEach(() => {
    ran = [];
    asked = [];
    answer = { kind: 'value', value: 'x' };
    const input = ({ title, prompt, placeholder, position }: InputOptions) => {
      const step = `${position?.step}/${position?.totalSteps}`;
      asked.push([title, prompt, placeholder, step].join(' | '));
      return Promise.resolve(answer);
    };
    stub(vscode.commands, { executeCommand: (...command: unknown[]) => ran.push(...command) });
    files = new PromptFiles({
      clock: new FakeClock(),
      dialogs: { input } as unknown as Dialogs,
      settings: {
        promptFolders: (folder) => (folder?.path === '/work/web' ? ['more'] : []),
      },
    });
  });

  const list = async (): Promise<readonly string[]> =>
    (await files.find('')).map(({ label, detail }) => `${label}: ${detail}`);

  it('the list of prompt files covers each workspace folder and the set folders', async () => {
    openFolders(stub, ['/work/api', '/work/web'], {
      '/work/api/.github/prompts/review.prompt.md': 'Review the API.',
      '/work/api/more/never.prompt.md': 'In a folder that another one names.',
      '/work/web/.github/prompts/review.prompt.md': 'Review the page.',
      '/work/web/more/draw.prompt.md': 'Draw.',
    });
    assert.deepEqual(await list(), [
      'review: api/.github/prompts · Review the API.',
      'review: web/.github/prompts · Review the page.',
      'draw: Draw.',
    ]);
  });

  it('the list of prompt files shows absolute folders if the relative ones are equal', async () => {
    openFolders(stub, ['/old/api', '/new/api'], {
      '/old/api/.github/prompts/review.prompt.md': 'Review.',
      '/new/api/.github/prompts/review.prompt.md': 'Review.',
    });
    assert.deepEqual(await list(), [
      'review: /old/api/.github/prompts · Review.',
      'review: /new/api/.github/prompts · Review.',
    ]);
  });

  it('the list of prompt files is empty until the workspace is trusted', async () => {
    openFolders(stub, ['/work/api'], { '/work/api/.github/prompts/review.prompt.md': 'Review.' });
    stub(vscode.workspace, { isTrusted: false });
    const [notice, ...others] = await files.find('rev');
    assert.deepEqual(others, []);
    assert.ok(notice?.isNotice);
    assert.match(notice.detail, /Restricted Mode/);
    assert.equal(await files.compose(notice.id), undefined);
    assert.deepEqual(ran, ['workbench.trust.manage']);
    stub(vscode.workspace, { isTrusted: true });
    assert.deepEqual(await list(), ['review: Review.']);
    stub(vscode.workspace, { isTrusted: false, workspaceFolders: undefined });
    assert.deepEqual(await list(), []);
  });

  it('a prompt file asks for each input in a step', async () => {
    openFolders(stub, ['/work/web'], {
      '/work/web/.github/prompts/fix.prompt.md':
        'Fix ${input:what} in ${input:where:a file}\u202e.',
      '/work/web/more/fix.prompt.md': 'Fix ${input:__proto__}.',
    });
    const [fix, other] = await files.find('fix');
    assert.equal(await files.compose(fix!.id), 'Fix x in x.');
    assert.equal(await files.compose(other!.id), 'Fix x.');
    assert.deepEqual(asked, [
      'fix · web/.github/prompts | what |  | 1/2',
      'fix · web/.github/prompts | where | a file | 2/2',
      'fix · web/more | __proto__ |  | 1/1',
    ]);
    answer = { kind: 'left' };
    assert.equal(await files.compose(fix!.id), undefined);
    assert.equal(await files.compose('1000'), undefined, 'never offered');
  });
});
