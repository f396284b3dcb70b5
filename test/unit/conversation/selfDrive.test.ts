import assert from 'node:assert/strict';
import type { SelfDriveTerm } from '../../../src/conversation/machine/state.ts';
import { statusView } from '../../../src/features/chatPanel/present/statusView.ts';
import { Stage, statusContext } from './conversationStage.ts';

const minutes = 60_000;

/** A conversation whose user chose self-drive, for as long. */
function driven(lasts: SelfDriveTerm): Stage {
  const stage = new Stage();
  choose(stage, lasts);
  return stage;
}

function choose({ conversation }: Stage, lasts: SelfDriveTerm): void {
  conversation.send({ type: 'set-mode', mode: 'self-drive', lasts });
}

/** The mode of each prompt that went out. */
function modes({ exchanges }: Stage): readonly string[] {
  return exchanges.flatMap(({ chat }) => (chat.kind === 'prompt' ? [chat.approvalMode] : []));
}

const view = ({ state }: Stage) => statusView(state, statusContext);

async function turn(stage: Stage, text: string): Promise<void> {
  stage.submit(text);
  // The one prompt of self-drive goes out once that is on record.
  await stage.settle();
  await stage.finish();
}

describe('self-drive for a while', () => {
  it('for this prompt only is manual again for the next one, after a reload too', async () => {
    const stage = driven('this-prompt');
    await turn(stage, 'One');
    assert.equal(view(stage).mode, 'manual');
    stage.reload();
    await turn(stage, 'Two');
    assert.deepEqual(modes(stage), ['self-drive', 'manual']);
  });

  it('for this prompt only is spent by a prompt that waits, and goes out with that', async () => {
    const stage = Stage.asked('One');
    choose(stage, 'this-prompt');
    stage.submit('Two');
    assert.equal(stage.state.mode, 'manual');
    stage.submit('Three');
    for (let run = 0; run < 3; run++) await stage.finish();
    assert.deepEqual(modes(stage), ['manual', 'self-drive', 'manual']);
  });

  it('for this prompt only is on record as used up before the prompt goes out', async () => {
    const stage = driven('this-prompt');
    let write = (): void => undefined;
    stage.recorded = new Promise((resolve) => {
      write = () => resolve(undefined);
    });
    stage.submit('One');
    await stage.settle();
    assert.equal(stage.exchanges.length, 0);
    write();
    await stage.settle();
    assert.deepEqual(modes(stage), ['self-drive']);
  });

  it('for 30 minutes ends by itself, and says so to whoever shows it', async () => {
    const stage = driven('30-minutes');
    await turn(stage, 'One');
    const { selfDriveBand } = view(stage);
    assert.equal(selfDriveBand?.until, stage.clock.now() + 30 * minutes);
    const told: (string | null)[] = [];
    stage.conversation.onDidChange(() => told.push(view(stage).mode));
    await stage.advance(30 * minutes - 1);
    assert.deepEqual(told, []);
    await stage.advance(1);
    assert.deepEqual([told, view(stage).selfDriveBand], [['manual'], null]);
    await turn(stage, 'Two');
    assert.deepEqual(modes(stage), ['self-drive', 'manual']);
  });

  it('keeps its end through a reload, and past it is not on again', async () => {
    const stage = driven('30-minutes');
    await stage.advance(20 * minutes);
    stage.reload();
    assert.equal(view(stage).mode, 'self-drive');
    await stage.advance(10 * minutes);
    assert.equal(view(stage).mode, 'manual');
    stage.reload();
    assert.equal(view(stage).mode, 'manual');
  });

  it('is over where the clock was set back by more than it was on', () => {
    const stage = driven('30-minutes');
    const entry = stage.journal.at(-1);
    assert.ok(entry?.type === 'mode' && typeof entry.limit === 'number');
    stage.journal.push({ ...entry, id: 'later', limit: entry.limit + 1 });
    stage.reload();
    assert.equal(view(stage).mode, 'manual');
  });

  it('leaves a run in it that goes on at its end, and offers to stop it', async () => {
    const stage = driven('30-minutes');
    stage.submit('One');
    stage.last.open();
    await stage.advance(30 * minutes);
    const { mode, selfDriveBand, canStop } = view(stage);
    assert.deepEqual([mode, canStop, selfDriveBand?.until], ['manual', true, undefined]);
    assert.match(selfDriveBand?.text ?? '', /This run goes on in self-drive/);
    await stage.finish();
    assert.equal(view(stage).selfDriveBand, null);
  });

  it('takes with it what waits at its end, also where that was switched to manual before', async () => {
    const stage = driven('30-minutes');
    stage.submit('One');
    stage.submit('Two');
    stage.setMode('manual');
    assert.equal(view(stage).queue[0]?.mode, 'self-drive');
    await stage.advance(30 * minutes);
    assert.equal(view(stage).queue[0]?.mode, undefined);
    await stage.finish();
    assert.deepEqual(modes(stage), ['self-drive', 'manual']);
  });

  it('takes with it a prompt that is tried again after its end, and shows that as manual', async () => {
    const stage = driven('30-minutes');
    await stage.advance(30 * minutes - 1_000);
    stage.submit('One');
    const refusal = { kind: 'rate-limited', status: 429, reason: 'rate_limited' } as const;
    await stage.fail({ ...refusal, retryAfterMs: 20_000 });
    assert.equal(stage.phase, 'backing-off');
    await stage.advance(30_000);
    assert.deepEqual(modes(stage), ['self-drive', 'manual']);
    await stage.finish();
    stage.reload();
    const { lastPrompt, lastReply } = stage.conversation.transcript;
    assert.deepEqual([lastPrompt?.mode, lastReply?.mode], ['manual', 'manual']);
  });

  it('is manual to a window of a version that knows no limit', () => {
    for (const lasts of ['this-prompt', '30-minutes'] as const) {
      const entry = driven(lasts).journal.at(-1);
      assert.equal(entry?.type === 'mode' && entry.mode, 'manual');
    }
  });

  it('is switched off by another window while a run is read here', async () => {
    const stage = driven('30-minutes');
    stage.submit('One');
    stage.submit('Two');
    stage.last.open();
    const manual = { type: 'mode', mode: 'manual', id: 'other', at: 1 } as const;
    stage.conversation.follow([manual]);
    await stage.settle();
    assert.deepEqual([stage.phase, stage.state.mode], ['requesting', 'manual']);
    stage.submit('Three');
    for (let run = 0; run < 3; run++) await stage.finish();
    assert.deepEqual(modes(stage), ['self-drive', 'self-drive', 'manual']);
  });

  it('may be made longer, and to last until it is switched off', async () => {
    const stage = driven('30-minutes');
    await stage.advance(20 * minutes);
    choose(stage, '30-minutes');
    await stage.advance(20 * minutes);
    assert.equal(view(stage).mode, 'self-drive');
    choose(stage, 'until-switched-off');
    await stage.advance(90 * minutes);
    stage.reload();
    assert.deepEqual(
      [view(stage).mode, view(stage).selfDriveBand?.until],
      ['self-drive', undefined],
    );
  });
});
