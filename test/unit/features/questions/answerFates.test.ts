/** Tests answers from the bytes of the service's response to the message for the user. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { showOutcome } from '../../../../src/features/questions/outcomes.ts';
import { until } from '../../../harness/until.ts';
import { chatResponse, fakeService } from '../../api/support/fakeFetch.ts';
import * as chunks from '../../api/support/streams.ts';
import { Stage } from '../../conversation/conversationStage.ts';
import { permissionCall } from '../../conversation/fakeExchange.ts';
import { answerFates, type AnswerFate } from '../../support/answerFates.ts';
import { useStubs } from '../../support/stubEditor.ts';

/** More requests than an answer ever makes. */
const manyTries = 200;

describe('answers over the wire', () => {
  const stub = useStubs();
  let shown: { kind: string; text: string; buttons: string[] }[];
  /** Title of the button that the user selects next. */
  let pressed: string | undefined;

  beforeEach(() => {
    shown = [];
    pressed = undefined;
    const show =
      (kind: string) =>
      (text: string, ...buttons: { title: string }[]) => {
        shown.push({ kind, text, buttons: buttons.map(({ title }) => title) });
        return Promise.resolve(buttons.find(({ title }) => title === pressed));
      };
    stub(vscode.window, { showErrorMessage: show('error'), showWarningMessage: show('warning') });
  });

  async function answered({ respond }: AnswerFate) {
    const { id, name, arguments: said } = permissionCall('call_1');
    const call = { index: 0, id, type: 'function', function: { name, arguments: said } };
    const asks = chunks.stream(
      ...[chunks.ROLE, chunks.delta({ tool_calls: [call] }), chunks.ASKED],
      ...[chunks.end({ usage: null }), chunks.DONE],
    );
    const stage = new Stage();
    const responses = Array.from({ length: manyTries }, respond);
    const service = fakeService([chatResponse(asks), ...responses], { clock: stage.clock });
    stage.client = service.client;
    stage.submit('Go');
    await until('the question is asked', () => stage.phase === 'paused', 5_000, 1);
    const answering = stage.conversation.answer(stage.asked[0]!.id, {
      kind: 'permission',
      choice: 'allow_once',
    });
    let outcome: Awaited<typeof answering>;
    void answering.then((what) => (outcome = what));
    const isKnown = () => {
      if (stage.phase === 'backing-off') stage.clock.advance(stage.clock.untilNext ?? 0);
      return outcome !== undefined;
    };
    await until('the outcome is known', isKnown, 20_000, 1);
    return { stage, outcome: outcome!, service };
  }

  for (const row of answerFates)
    it(`an answer counts as “${row.fate}” after ${row.name}`, async () => {
      const { stage, outcome, service } = await answered(row);
      const tries = service.sent.length - 1;
      assert.equal(tries > 1, row.isRepeated, `${tries} tries`);
      const [, first, ...later] = service.sent.map(({ init }) => init.body);
      for (const body of later) assert.deepEqual(body, first, 'each request is the same');
      const done: string[] = [];
      const ways = {
        answer: () => done.push('Answer'),
        showConversation: () => done.push('Show Conversation'),
        askAgain: (_: unknown, prompt: string) => done.push(prompt),
      };
      const isOpen = row.fate === 'refused' || row.fate === 'unclear';
      pressed = isOpen ? 'Answer' : 'Ask Again';
      await showOutcome(stage.asked[0]!, outcome, ways);
      if (row.fate === 'taken') {
        assert.deepEqual(shown, [], 'no message is needed');
        return;
      }
      assert.equal(shown.length, 1);
      const message = shown[0]!;
      assert.equal(message.kind, isOpen ? 'error' : 'warning');
      assert.match(message.text, row.says);
      const beginnings = {
        refused: /^Ada didn’t get your answer\. The question is still open\./,
        unclear: /^Your answer to Ada may have been received\. /,
        gone: /^Ada’s question has closed\. Your answer wasn’t used\. /,
        perhaps: /^Your answer to Ada may have been received\. The question has closed\.$/,
      };
      assert.match(message.text, beginnings[row.fate]);
      const buttons = {
        refused: row.needsKey
          ? ['Sign In', 'Answer', 'Show Conversation']
          : ['Answer', 'Show Conversation'],
        unclear: ['Answer', 'Show Conversation'],
        gone: ['Ask Again', 'Show Conversation'],
        perhaps: ['Show Conversation', 'Ask Again'],
      };
      assert.deepEqual(message.buttons, buttons[row.fate]);
      if (isOpen) assert.deepEqual(done, ['Answer']);
      else assert.match(done.join(), /request to use “shell” closed.* ask again/);
    });
});
