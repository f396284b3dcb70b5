import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import {
  SavedTabs,
  type SavedTab,
} from '../../../../src/features/chatPanel/surfaces/savedChats.ts';

function memento(values: Map<string, unknown>): Memento {
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) => {
      values.set(key, value);
      return Promise.resolve();
    },
  } as Memento;
}

const tab = (conversation: string, title: string): SavedTab => ({
  account: 'account-1',
  intern: 'intern_ada',
  conversation,
  title,
});

describe('the tabs that a dead extension host left', () => {
  it('leave nothing of what was said in the state of the workspace', () => {
    const values = new Map<string, unknown>();
    new SavedTabs(memento(values)).remember([tab('a', 'ada: what was asked first')]);
    assert.doesNotMatch(JSON.stringify([...values]), /asked/);
  });

  it('are told apart by their titles, and by their order where titles do not tell', () => {
    const values = new Map<string, unknown>();
    new SavedTabs(memento(values)).remember([tab('a', 'ada'), tab('b', 'bea'), tab('c', 'ada')]);
    const next = new SavedTabs(memento(values));
    assert.equal(next.take('bea')?.conversation, 'b');
    assert.equal(next.take('ada')?.conversation, 'a');
    assert.equal(next.take('renamed since')?.conversation, 'c');
    assert.equal(next.take('ada'), undefined);
  });

  it('outlive a second host that died before all of them were shown again', () => {
    const values = new Map<string, unknown>();
    new SavedTabs(memento(values)).remember([tab('a', 'ada'), tab('b', 'bea')]);
    new SavedTabs(memento(values)).remember([tab('b', 'bea (failed)')]);
    const third = new SavedTabs(memento(values));
    assert.equal(third.take('ada')?.conversation, 'a');
    assert.equal(third.take('bea (failed)')?.conversation, 'b');
  });

  it('are there still where one that was looked at cannot be opened yet', () => {
    const values = new Map<string, unknown>();
    new SavedTabs(memento(values)).remember([tab('a', 'ada'), tab('b', 'bea')]);
    const next = new SavedTabs(memento(values));
    next.giveBack(next.take('bea')!);
    assert.equal(next.take('bea')?.conversation, 'b');
    assert.equal(next.take('ada')?.conversation, 'a');
  });

  it('are none where the memento holds something else', () => {
    assert.equal(new SavedTabs(memento(new Map([['tabs', 'x']]))).take('ada'), undefined);
  });
});
