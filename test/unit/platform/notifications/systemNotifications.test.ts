import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { DisposableStore } from '../../../../src/base/disposable.ts';
import { SystemNotifications } from '../../../../src/platform/notifications/systemNotifications.ts';
import { eventually } from '../../../harness/until.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('SystemNotifications, with a fake notify-send', () => {
  const folder = useTemporaryFolder();
  const stub = useStubs();
  let log: RecordingLog;
  let store: DisposableStore;
  let selected: number;

  beforeEach(() => {
    log = new RecordingLog();
    store = new DisposableStore();
    selected = 0;
    stub(vscode.env, { uiKind: vscode.UIKind.Desktop, uriScheme: 'vscode' });
  });

  afterEach(() => store.dispose());

  /** Creates a `notify-send` that notes its calls and then does something. */
  async function fakeCommand(script: string): Promise<void> {
    const path = join(folder.path, 'notify-send');
    const lines = [
      '#!/bin/sh',
      `cd '${folder.path}'`,
      `env > environment`,
      `printf '%s\\n' "$*" >> calls`,
      script,
    ];
    // A shell that still runs the file before this one reads on in it.
    await writeFile(`${path}.new`, lines.join('\n'), { mode: 0o700 });
    await rename(`${path}.new`, path);
  }

  const calls = () => readFile(join(folder.path, 'calls'), 'utf8').catch(() => '');

  function create(
    path = `${folder.path}:/usr/bin:/bin`,
    extensionKind = vscode.ExtensionKind.UI,
  ): SystemNotifications {
    return store.add(
      new SystemNotifications({
        log,
        extension: { extensionKind },
        platform: 'linux',
        environment: { PATH: path, INTERNS_API_KEY: 'CANARY' },
      }),
    );
  }

  const show = (notifications: SystemNotifications, text = 'ada asks for permission') =>
    notifications.show({
      text,
      chat: { intern: 'intern_1' },
      onSelect: () => {
        selected += 1;
      },
    });

  it('a notification runs notify-send with the text, and without the API key', async () => {
    await fakeCommand('touch done');
    show(create(), '$(touch hacked)');
    await eventually(() => readFile(join(folder.path, 'done')).then(() => true));
    assert.equal(
      await calls(),
      '--app-name=Interns --action=default=Open Chat --wait -- $(touch hacked)\n',
    );
    const environment = await readFile(join(folder.path, 'environment'), 'utf8');
    assert.doesNotMatch(environment, /CANARY/);
    await assert.rejects(readFile(join(folder.path, 'hacked')));
  });

  it('a notification that the user selects is reported, and one that is closed is not', async () => {
    await fakeCommand('touch done');
    const notifications = create();
    show(notifications);
    await eventually(() => readFile(join(folder.path, 'done')).then(() => true));
    await fakeCommand('echo default');
    show(notifications);
    await eventually(() => selected > 0);
    assert.equal(selected, 1);
  });

  for (const [when, end] of [
    ['its question ends', (shown: { dispose(): void }) => shown.dispose()],
    ['the window closes', () => store.dispose()],
  ] as const) {
    it(`the notify-send of a notification ends when ${when}`, async () => {
      const path = join(folder.path, 'socket');
      const server: Server = createServer().listen(path);
      await once(server, 'listening');
      const connected = once(server, 'connection') as Promise<[Socket]>;
      // The connection ends with the process.
      const program = `require("net").connect("${path}").resume()`;
      await fakeCommand(`exec '${process.execPath}' -e '${program}'`);
      const shown = show(create());
      const [socket] = await connected;
      const ended = once(socket.resume(), 'close');
      end(shown);
      await ended;
      server.close();
      assert.equal(selected, 0);
    });
  }

  it('an old notify-send that refuses actions is called again without them', async () => {
    await fakeCommand('case "$*" in *--wait*) exit 1;; esac');
    const notifications = create();
    show(notifications, 'first');
    show(notifications, 'second');
    const isCalled = async (text: string) =>
      (await calls()).includes(`--app-name=Interns -- ${text}\n`);
    await eventually(() => isCalled('first'));
    await eventually(() => isCalled('second'));
    assert.deepEqual(log.lines, []);
  });

  it('a missing notify-send is logged once and never thrown', async () => {
    const notifications = create(join(folder.path, 'nowhere'));
    show(notifications);
    show(notifications);
    await eventually(() => log.lines.length > 0);
    await setImmediate();
    assert.deepEqual(log.lines, ['System notifications do not work here']);
  });

  it('a failing notify-send is logged once', async () => {
    await fakeCommand('case "$*" in *works*) echo default;; *) exit 1;; esac');
    const notifications = create();
    show(notifications);
    await eventually(() => log.lines.length > 0);
    show(notifications);
    // Each notification calls it twice: with and without actions.
    await eventually(async () => (await calls()).split('\n').length > 4);
    show(notifications, 'works');
    await eventually(() => selected === 1);
    assert.deepEqual(log.lines, ['System notifications do not work here']);
  });

  for (const [where, env, extensionKind] of [
    ['a browser', { uiKind: vscode.UIKind.Web }, vscode.ExtensionKind.UI],
    ['a remote machine', { remoteName: 'ssh-remote' }, vscode.ExtensionKind.Workspace],
  ] as const) {
    it(`a notification runs no command if the extension host belongs to ${where}`, async () => {
      await fakeCommand('touch done');
      stub(vscode.env, env);
      const notifications = create(undefined, extensionKind);
      assert.equal(notifications.isPossible, false);
      show(notifications);
      stub(vscode.env, { uiKind: vscode.UIKind.Desktop, remoteName: undefined });
      show(notifications, 'afterwards');
      await eventually(() => readFile(join(folder.path, 'done')).then(() => true));
      assert.match(await calls(), /^[^\n]*afterwards\n$/);
    });
  }

  it('a window on a remote machine notifies if the extension host is local', () => {
    stub(vscode.env, { remoteName: 'ssh-remote' });
    assert.equal(create().isPossible, true);
  });
});
