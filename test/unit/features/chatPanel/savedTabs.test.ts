import assert from 'node:assert/strict';
import {
  SavedTabs,
  type SavedTab,
} from '../../../../src/features/chatPanel/surfaces/savedChats.ts';
import { FakeMemento } from '../../support/fakeMemento.ts';

const tab = (conversation: string, title: string): SavedTab => ({
  account: 'account-1',
  intern: 'intern_ada',
  conversation,
  title,
});

/** Returns the memento of a window that had these tabs. */
function mementoOf(...tabs: readonly SavedTab[]): FakeMemento {
  const memento = new FakeMemento();
  new SavedTabs(memento).remember(tabs);
  return memento;
}

describe('SavedTabs', () => {
  it('saved tabs store no title of a conversation', () => {
    const memento = mementoOf(tab('a', 'ada: what was asked first'));
    assert.doesNotMatch(JSON.stringify([...memento.values]), /asked/);
  });

  it('a window restores saved tabs by title or else in order', () => {
    const next = new SavedTabs(mementoOf(tab('a', 'ada'), tab('b', 'bea'), tab('c', 'ada')));
    assert.equal(next.take('bea')?.conversation, 'b');
    assert.equal(next.take('ada')?.conversation, 'a');
    assert.equal(next.take('renamed since')?.conversation, 'c');
    assert.equal(next.take('ada'), undefined);
  });

  it('saved tabs include those of two dead hosts', () => {
    const memento = mementoOf(tab('a', 'ada'), tab('b', 'bea'));
    new SavedTabs(memento).remember([tab('b', 'bea (failed)')]);
    const third = new SavedTabs(memento);
    assert.equal(third.take('ada')?.conversation, 'a');
    assert.equal(third.take('bea (failed)')?.conversation, 'b');
  });

  it('saved tabs include a tab that is given back', () => {
    const next = new SavedTabs(mementoOf(tab('a', 'ada'), tab('b', 'bea')));
    next.giveBack(next.take('bea')!);
    assert.equal(next.take('bea')?.conversation, 'b');
    assert.equal(next.take('ada')?.conversation, 'a');
  });

  it('saved tabs ignore an invalid memento', () => {
    const memento = new FakeMemento();
    memento.values.set('tabs', 'x');
    assert.equal(new SavedTabs(memento).take('ada'), undefined);
  });
});
