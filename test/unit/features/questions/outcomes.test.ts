import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiError } from '../../../../src/api/index.ts';
import type { AnswerOutcome } from '../../../../src/conversation/questions/types.ts';
import { showOutcome } from '../../../../src/features/questions/outcomes.ts';
import { permission } from '../../conversation/questions/fakes.ts';
import { useStubs } from '../../support/stubEditor.ts';

const message = 'Not pending';
const error = new ApiError({ kind: 'interaction-not-pending', route: 'chat', message });
const outcomes: readonly AnswerOutcome[] = [
  { kind: 'gone', error },
  { kind: 'refused', error },
  { kind: 'maybe-answered', how: 'allow_once', isEarlier: false },
];

describe('showOutcome', () => {
  const stub = useStubs();

  /** Returns the messages about an answer in a chat whose end the user sees or not. */
  async function shown(outcome: AnswerOutcome, isSeen: boolean): Promise<readonly string[]> {
    const said: string[] = [];
    const say = (text: string) => Promise.resolve(void said.push(text));
    stub(vscode.window, { showErrorMessage: say, showWarningMessage: say });
    const nothing = () => undefined;
    const isEndSeen = () => isSeen;
    await showOutcome(permission('q1'), outcome, {
      ...{ show: nothing, compose: nothing, answer: nothing, isEndSeen },
    });
    return said;
  }

  for (const outcome of outcomes) {
    it(`a notification tells of an answer that is ${outcome.kind}`, async () => {
      assert.equal((await shown(outcome, false)).length, 1);
    });

    it(`no notification covers a chat in sight after an answer that is ${outcome.kind}`, async () => {
      assert.deepEqual(await shown(outcome, true), []);
    });
  }

  it('the prompt that asks for a hostile question again quotes only its beginning', async () => {
    stub(vscode.window, {
      showWarningMessage: (_text: string, again: object) => Promise.resolve(again),
    });
    const question = { kind: 'elicitation', message: 'א a '.repeat(250_000), fields: [] } as const;
    const prompts: string[] = [];
    const nothing = () => undefined;
    await showOutcome({ ...permission('q1'), question }, outcomes[0]!, {
      ...{ show: nothing, answer: nothing, isEndSeen: () => false },
      compose: (_question, prompt) => prompts.push(prompt),
    });
    assert.match(prompts.join(), /^Your question “.{300,301}” closed/u);
  });
});
