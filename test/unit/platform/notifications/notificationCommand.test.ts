import assert from 'node:assert/strict';
import { notificationCommand } from '../../../../src/platform/notifications/notificationCommand.ts';

const content = {
  text: 'ada asks for permission',
  action: 'Open Chat',
  link: 'vscode://intern-service.interns/chat?intern=intern_1',
};
const own = {
  HOME: '/home/me',
  PATH: '/usr/bin',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1/bus',
  LANG: undefined,
  INTERNS_API_KEY: 'CANARY',
  NODE_OPTIONS: '--require ./x.js',
  LD_PRELOAD: './x.so',
};
const env = {
  HOME: '/home/me',
  PATH: '/usr/bin',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1/bus',
};
const hostile = `--hint=x\0 "$(touch /tmp/x)"; '\` <b>\\n&amp;\u202e\n]](command:x) ' -e 'quit`;
const inert = `--hint=x "$(touch /tmp/x)"; '\` b n amp; ]](command:x) ' -e 'quit`;

describe('the command of a system notification', () => {
  it('notify-send on Linux waits for the user and gets the text after its options', () => {
    assert.deepEqual(notificationCommand('linux', own, content), {
      file: 'notify-send',
      args: [
        '--app-name=Interns',
        '--action=default=Open Chat',
        '--wait',
        '--',
        'ada asks for permission',
      ],
      env,
    });
  });

  it('osascript on macOS gets a fixed script and the text as its last argument', () => {
    assert.deepEqual(notificationCommand('darwin', own, content), {
      file: '/usr/bin/osascript',
      args: [
        ...['-e', 'on run argv'],
        ...['-e', 'display notification (item 2 of argv) with title (item 1 of argv)'],
        ...['-e', 'end run'],
        ...['Interns', 'ada asks for permission'],
      ],
      env,
    });
  });

  it('PowerShell on Windows gets a fixed script, and the text and link as variables', () => {
    const { file, args, env } = notificationCommand(
      'win32',
      { SystemRoot: 'D:\\Windows', INTERNS_API_KEY: 'CANARY' },
      content,
    );
    assert.equal(file, 'D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
    assert.deepEqual(args.slice(0, 3), ['-NoProfile', '-NonInteractive', '-Command']);
    assert.equal(args.length, 4);
    assert.deepEqual(env, {
      SystemRoot: 'D:\\Windows',
      INTERNS_NOTIFICATION_TEXT: content.text,
      INTERNS_NOTIFICATION_LINK: content.link,
    });
    // Windows would have to quote these.
    assert.doesNotMatch(args[3] ?? '', /["\r\n]/);
  });

  it('PowerShell is looked for in C:\\Windows if the environment names no other folder', () => {
    assert.match(notificationCommand('win32', {}, content).file, /^C:\\Windows\\System32\\/);
  });

  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    it(`a hostile name changes nothing in the command on ${platform} but the text itself`, () => {
      const usual = notificationCommand(platform, own, content);
      const { file, args, env } = notificationCommand(platform, own, { ...content, text: hostile });
      const put = (text: string) => (text === content.text ? inert : text);
      assert.equal(file, usual.file);
      assert.deepEqual(args, usual.args.map(put));
      assert.deepEqual(
        env,
        Object.fromEntries(Object.entries(usual.env).map(([name, value]) => [name, put(value)])),
      );
      assert.equal(JSON.stringify([args, env]).split(JSON.stringify(inert)).length, 2);
    });
  }

  it('a notification cuts a text after 120 characters', () => {
    const { args } = notificationCommand('linux', own, { ...content, text: '🙂'.repeat(500) });
    assert.equal(args.at(-1), '🙂'.repeat(120));
  });
});
