import assert from 'node:assert/strict';
import { statusView } from '../../../src/features/chatPanel/present/statusView.ts';
import { factsOf, play, playAll } from './plays.ts';
import { statusContext } from './viewContexts.ts';

const HALF_AN_HOUR_MS = 30 * 60_000;

describe('self-drive for a while', () => {
  playAll(`
    self-drive for one prompt ends with that prompt
      drive this-prompt | submit One | finish => mode manual; modes self-drive
    self-drive for one prompt is over after a reload
      drive this-prompt | submit One | finish | reload | submit Two | finish => modes self-drive, manual
    a queued prompt uses up self-drive for one prompt
      submit One | drive this-prompt | submit Two => mode manual
    the conversation sends the queued prompt that used up self-drive in self-drive
      submit One | drive this-prompt | submit Two | submit Three | finish | finish | finish =>
      modes manual, self-drive, manual
    self-drive for 30 minutes survives a reload
      drive 30-minutes | wait 1200000 | reload => mode self-drive
    self-drive for 30 minutes stays off after a second reload
      drive 30-minutes | wait 1200000 | reload | wait 600000 | reload => mode manual
    a queued prompt keeps self-drive
      drive 30-minutes | submit One | submit Two | mode manual => shown Two self-drive
    the conversation sends a queued prompt in manual when the time of self-drive is up
      drive 30-minutes | submit One | submit Two | mode manual | wait 1800000 | finish => modes self-drive, manual
    the conversation repeats a prompt in manual when the time of self-drive is up
      drive 30-minutes | wait 1799000 | submit One | fail rate-limited-long | wait 30000 => modes self-drive, manual
    the conversation records manual for a run that was repeated after self-drive
      drive 30-minutes | wait 1799000 | submit One | fail rate-limited-long | wait 30000 | finish | reload =>
      runMode manual
    the user extends self-drive by another 30 minutes
      drive 30-minutes | wait 1200000 | drive 30-minutes | wait 1200000 => mode self-drive
    the user extends self-drive until it is switched off
      drive 30-minutes | wait 1200000 | drive until-switched-off | wait 5400000 | reload => mode self-drive
    a run stays in self-drive when the time is up
      drive 30-minutes | submit One | open | wait 1800000 => mode manual; canStop true;
      band This run stays in self-drive (acts without asking, no sandbox). The next prompt is manual.
    self-drive that is over ends with its run
      drive 30-minutes | submit One | open | wait 1800000 | finish => band none
    the band also names a run in self-drive that another window reads
      drive 30-minutes | submit One | say Half | reload elsewhere | wait 1800000 => phase elsewhere; mode manual;
      band This run stays in self-drive (acts without asking, no sandbox). The next prompt is manual.
    the conversation records self-drive with a limit as manual for older versions
      drive this-prompt | drive 30-minutes => recordedModes manual, manual
    another window switches self-drive off during a run
      drive 30-minutes | submit One | open | other manual => phase requesting; mode manual
    a queued prompt keeps self-drive when another window switches it off
      drive 30-minutes | submit One | submit Two | open | other manual | submit Three | finish | finish | finish =>
      modes self-drive, self-drive, manual
  `);

  it('self-drive for one prompt is recorded as used up before the request of the prompt', async () => {
    const stage = await play('drive this-prompt | submit One');
    const types = stage.journal.slice(2).map(({ type }) => type);
    assert.deepEqual(types, ['mode', 'prompt', 'requested']);
    assert.deepEqual(factsOf(stage).modes, ['self-drive']);
  });

  it('self-drive for 30 minutes ends by itself, and fires a change', async () => {
    const stage = await play('drive 30-minutes');
    const view = () => statusView(stage.conversation, statusContext);
    assert.equal(view().selfDriveBand?.until, stage.clock.now() + HALF_AN_HOUR_MS);
    const modes: (string | null)[] = [];
    stage.conversation.onDidChange(() => modes.push(view().mode));
    await stage.advance(HALF_AN_HOUR_MS - 1);
    assert.deepEqual(modes, []);
    await stage.advance(1);
    assert.deepEqual([modes, view().selfDriveBand], [['manual'], null]);
  });

  it('self-drive is over if the clock was set back before it began', async () => {
    const stage = await play('drive 30-minutes');
    const entry = stage.journal.at(-1);
    assert.ok(entry?.type === 'mode' && typeof entry.limit === 'number');
    stage.journal.push({ ...entry, id: 'later', limit: entry.limit + 1 });
    stage.reload();
    assert.equal(factsOf(stage).mode, 'manual');
  });
});
