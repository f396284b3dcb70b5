import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/disposable.ts';
import {
  type ChatCommandPorts,
  conversationCommands,
} from '../../../../src/features/chatPanel/commands/conversationCommands.ts';
import { trackReads } from '../../../../src/features/chatPanel/readTracker.ts';
import { never } from '../../support/chatPages.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('Mark as Unread', () => {
  it('a chat of an account that is not active is marked in its own account', async () => {
    const marked: unknown[] = [];
    const account = { id: 'other' };
    const ports = {
      pages: { activePage: { open: { account, conversation: { id: 'c1' } } } },
      list: { load: () => Promise.resolve(), get: () => undefined },
      conversations: {
        list: () => Promise.resolve([{ id: 'c1', at: 1 }]),
        readPositions: { mark: (...position: unknown[]) => marked.push(position) },
      },
    } as unknown as ChatCommandPorts;
    await conversationCommands['interns.markUnread'](ports, []);
    assert.deepEqual(marked, [[account, { id: 'c1', at: 1 }, false]]);
  });
});

describe('trackReads', () => {
  const stub = useStubs();
  let marked: object[];
  let isFocused: boolean;
  let page: { isEndVisible: boolean; open: object };
  let transcript: { lastPrompt: object | undefined; updatedAt: number; lastReply: undefined };
  let phase: string;
  let row: object | undefined;
  let check: () => void;

  beforeEach(() => {
    [marked, isFocused, phase, row] = [[], true, 'idle', undefined];
    transcript = { lastPrompt: {}, updatedAt: 1, lastReply: undefined };
    const conversation = { id: 'c1', transcript, state: { phase: { kind: '' } } };
    Object.defineProperty(conversation, 'state', { get: () => ({ phase: { kind: phase } }) });
    page = { isEndVisible: true, open: { conversation, account: {}, isDeleted: false } };
    const [sight, focus] = [new Emitter<void>(), new Emitter()];
    stub(vscode.window, { state: {}, onDidChangeWindowState: focus.event });
    Object.defineProperty(vscode.window, 'state', {
      get: () => ({ focused: isFocused }),
      configurable: true,
    });
    trackReads({
      conversations: {
        onDidChangeState: never,
        readPositions: { mark: (_: unknown, read: object) => Promise.resolve(marked.push(read)) },
      },
      pages: { all: [page], onDidChange: sight.event },
      list: { get: () => row },
      log: { warn: () => undefined },
    } as unknown as Parameters<typeof trackReads>[0]);
    check = () => sight.fire();
  });

  /** Returns how often the conversation is marked after a change. */
  function marksAfter(change: () => unknown): number {
    change();
    check();
    return marked.length;
  }

  for (const [reason, hide, show] of [
    ['the window has no focus', () => (isFocused = false), () => (isFocused = true)],
    [
      'the end is out of sight',
      () => (page.isEndVisible = false),
      () => (page.isEndVisible = true),
    ],
    ['its run works', () => (phase = 'requesting'), () => (phase = 'idle')],
  ] as const) {
    it(`a conversation is not read while ${reason}`, () => {
      assert.equal(marksAfter(hide), 0);
      assert.equal(marksAfter(show), 1);
    });
  }

  const nothing = () => undefined;

  for (const { title, before, changes } of [
    {
      title: 'a visible conversation is read once for each change',
      changes: [
        [nothing, 1],
        [nothing, 1],
        [() => (transcript.updatedAt = 2), 2],
      ],
    },
    {
      title: 'a conversation that was marked as unread in sight stays so until it comes into sight',
      before: () => {
        check();
        row = { isUnread: true, head: { at: 1 } };
      },
      changes: [
        [() => (isFocused = false), 1],
        [() => (isFocused = true), 1],
        [nothing, 1],
        [() => (page.isEndVisible = false), 1],
        [() => (page.isEndVisible = true), 2],
      ],
    },
    {
      title: 'no file is written for a conversation that is read already',
      before: () => (row = { isUnread: false, head: { at: 1 } }),
      changes: [[nothing, 0]],
    },
  ] as const)
    it(title, () => {
      before?.();
      for (const [change, marks] of changes) assert.equal(marksAfter(change), marks);
    });
});
