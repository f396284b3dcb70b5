import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DisposableStore, Emitter } from '../../../../src/base/disposable.ts';
import type { InternServices } from '../../../../src/features/interns/internModel.ts';
import { InternsView } from '../../../../src/features/interns/internsView.ts';
import { never } from '../../support/chatPages.ts';
import { creating } from '../../support/creating.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { useStubs } from '../../support/stubEditor.ts';

const INTERNS = 5_000;
const noStatus = { status: null, statusAt: null, statusFrom: null };
const unseen = { ...noStatus, intern: null, origin: 'added', addedAt: 0, creation: null } as const;

describe('InternsView with 5,000 interns', () => {
  const stub = useStubs();
  let parts: DisposableStore;
  let view: InternsView;
  const conversationsChanged = new Emitter<void>();
  /** How often the conversations were counted. */
  let reads: number;

  beforeEach(async () => {
    parts = new DisposableStore();
    const { account, ports } = new FakeAccounts();
    reads = 0;
    const { interns, creations } = parts.add(creating(ports));
    for (let index = 0; index < INTERNS; index++)
      await account.store.interns.put({ ...unseen, id: `i${index}` });
    const conversations = {
      load: () => Promise.resolve(),
      costs: () => Promise.resolve(undefined),
      counts: () => {
        reads += 1;
        return new Map([['i4999', { waiting: 2, running: 1 }]]);
      },
      onDidChange: conversationsChanged.event,
    };
    const allowed = { list: () => Promise.resolve([]) };
    const dispose = () => undefined;
    stub(vscode.window, {
      createTreeView: () => ({ onDidChangeVisibility: never, dispose }),
      registerFileDecorationProvider: () => ({ dispose }),
    });
    stub(vscode.Uri, { parse: (text: string) => text });
    const keys = { contextKeys: { set: dispose }, refresh: { fire: dispose } };
    const window = keys as unknown as Pick<InternServices, 'contextKeys' | 'refresh'>;
    view = parts.add(
      new InternsView({ ...ports, ...window, interns, creations, conversations, allowed }),
    );
  });

  afterEach(() => parts.dispose());

  it('the view of interns counts conversations once a drawing, not once an intern', async () => {
    const rows = await view.getChildren();
    assert.equal(rows.length, INTERNS);
    assert.equal(reads, 1);
  });

  it('the view of interns begins with the intern that asks, and shows its counts', async () => {
    const [first, second] = await view.getChildren();
    assert.ok(first?.kind === 'intern' && second?.kind === 'intern');
    assert.equal(first.intern, 'i4999');
    assert.equal(view.getTreeItem(first).description, '2 waiting · 1 running · Unknown');
    assert.equal(view.getTreeItem(second).description, 'Unknown');
  });

  it('the row of an intern opens its chat, as the row of a conversation does', async () => {
    const [first] = await view.getChildren();
    assert.ok(first !== undefined);
    const { command, arguments: targets } = view.getTreeItem(first).command ?? assert.fail();
    assert.deepEqual([command, targets], ['interns.openChat', [{ intern: 'i4999' }]]);
  });

  it('the view of interns is drawn again after conversations changed', () => {
    let drawings = 0;
    parts.add(view.onDidChangeTreeData(() => (drawings += 1)));
    conversationsChanged.fire();
    assert.equal(drawings, 1);
  });
});
