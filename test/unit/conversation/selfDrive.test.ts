import assert from 'node:assert/strict';
import type { SelfDriveTerm } from '../../../src/conversation/machine/state.ts';
import { statusView } from '../../../src/features/chatPanel/present/statusView.ts';
import { Stage, statusContext } from './conversationStage.ts';
import { playAll } from './plays.ts';

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

const view = ({ conversation }: Stage) => statusView(conversation, statusContext);

async function turn(stage: Stage, text: string): Promise<void> {
  stage.submit(text);
  // The one prompt of self-drive goes out once that is on record.
  await stage.settle();
  await stage.finish();
}

describe('self-drive for a while', () => {
  playAll(`
    is manual again after one prompt
      drive this-prompt | submit One | finish => mode manual; modes self-drive
    is manual for the next prompt, after a reload too
      drive this-prompt | submit One | finish | reload | submit Two | finish => modes self-drive, manual
    is used up by a prompt that waits
      submit One | drive this-prompt | submit Two => mode manual
    goes out with the prompt that used it up
      submit One | drive this-prompt | submit Two | submit Three | finish | finish | finish =>
      modes manual, self-drive, manual
    keeps its end through a reload
      drive 30-minutes | wait 1200000 | reload => mode self-drive
    is over after a reload
      drive 30-minutes | wait 1200000 | reload | wait 600000 => mode manual
    is not on again after a second reload
      drive 30-minutes | wait 1200000 | reload | wait 600000 | reload => mode manual
    stays with a prompt that waits
      drive 30-minutes | submit One | submit Two | mode manual => shown Two self-drive
    leaves a prompt that waits at its end
      drive 30-minutes | submit One | submit Two | mode manual | wait 1800000 => shown Two
    does not go out with a prompt that waited at its end
      drive 30-minutes | submit One | submit Two | mode manual | wait 1800000 | finish => modes self-drive, manual
    does not go out with a prompt that is tried again after its end
      drive 30-minutes | wait 1799000 | submit One | fail rate-limited-long | wait 30000 => modes self-drive, manual
    is not on record of a run that went out in manual
      drive 30-minutes | wait 1799000 | submit One | fail rate-limited-long | wait 30000 | finish | reload =>
      runMode manual
    may be made longer
      drive 30-minutes | wait 1200000 | drive 30-minutes | wait 1200000 => mode self-drive
    may be made to last until it is switched off
      drive 30-minutes | wait 1200000 | drive until-switched-off | wait 5400000 | reload => mode self-drive
    is over for the next prompt while a run continues
      drive 30-minutes | submit One | open | wait 1800000 => mode manual; canStop true;
      band This run stays in self-drive (acts without asking, no sandbox). Your next prompt is manual.
    ends with the run that continued
      drive 30-minutes | submit One | open | wait 1800000 | finish => band none
    is recorded as manual for versions that know no limit
      drive this-prompt | drive 30-minutes => recordedModes manual, manual
    is switched off by another window while a run is read here
      drive 30-minutes | submit One | open | other manual => phase requesting; mode manual
    stays with the prompt that waits when another window switches it off
      drive 30-minutes | submit One | submit Two | open | other manual | submit Three | finish | finish | finish =>
      modes self-drive, self-drive, manual
  `);

  it('for one prompt is recorded as used up before the prompt is sent', async () => {
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

  it('for 30 minutes ends by itself, and fires a change', async () => {
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

  it('is over if the clock was set back before it began', () => {
    const stage = driven('30-minutes');
    const entry = stage.journal.at(-1);
    assert.ok(entry?.type === 'mode' && typeof entry.limit === 'number');
    stage.journal.push({ ...entry, id: 'later', limit: entry.limit + 1 });
    stage.reload();
    assert.equal(view(stage).mode, 'manual');
  });
});
