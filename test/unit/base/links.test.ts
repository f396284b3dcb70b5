import assert from 'node:assert/strict';
import { parseLink } from '../../../src/base/links.ts';

function file(path: string, line?: number, column = 1, endLine = line): object {
  const position = line === undefined ? undefined : { line, column, endLine };
  return { kind: 'file', path, authority: '', position };
}

describe('parseLink', () => {
  it('the link parser reads a web address as a browser does', () => {
    assert.deepEqual(parseLink(' HTTPS://Example.com/a?b=c%26d#e '), {
      kind: 'web',
      url: 'https://example.com/a?b=c%26d#e',
      isTrusted: false,
    });
  });

  it('the link parser shows look-alike letters of a host name as xn--', () => {
    const link = parseLink('https://аpple.com/');
    assert.ok(link.kind === 'web');
    assert.match(link.url, /^https:\/\/xn--/u);
  });

  it('the link parser trusts only links to servers on this machine', () => {
    const names = ['localhost:3000', 'a.localhost'];
    for (const host of [...names, '127.0.0.1', '[::1]:80', '2130706433', '0.0.0.0']) {
      const link = parseLink(`http://${host}/`);
      assert.ok(link.kind === 'web' && link.isTrusted, host);
    }
    for (const host of ['localhost.example.com', '127.0.0.1.example.com', 'mylocalhost']) {
      const link = parseLink(`http://${host}/`);
      assert.ok(link.kind === 'web' && !link.isTrusted, host);
    }
  });

  it('the link parser reads a mail address', () => {
    assert.deepEqual(parseLink('mailto:a@example.com'), {
      kind: 'mail',
      url: 'mailto:a@example.com',
    });
  });

  it('the link parser refuses links to commands, scripts and other schemes', () => {
    const hostile = `command:workbench.action.terminal.new COMMAND:x vscode://ext/run vscode-insiders:x
      code-oss://intern-service.interns/chat?intern=1 vscode-remote://host/etc/passwd
      javascript:alert(1) JaVaScRiPt:alert(1) data:text/html,x blob:https://a/b about:blank
      ftp://example.com/a ssh://host ms-settings: tel:+123 https: http:// #heading`;
    for (const href of ['', ...hostile.split(/\s+/)])
      assert.equal(parseLink(href).kind, 'refused', href);
  });

  it('the link parser refuses a link with a user name', () => {
    for (const href of [
      ...['https://bank.example@evil.example/', 'https://user:password@evil.example/'],
      ...['http://:password@evil.example/', 'https:\\\\bank.example@evil.example'],
      ...['HTTPS://bank.example%2F@evil.example', 'ht\ttps://bank.example@evil.example'],
    ])
      assert.equal(parseLink(href).kind, 'refused', href);
    assert.equal(parseLink('https://example.com/@user').kind, 'web');
    assert.equal(parseLink('https://@example.com/').kind, 'web', 'an empty name is dropped');
  });

  it('the link parser finds schemes of links behind percent-encoding, blanks and slashes', () => {
    for (const href of [
      ...['javascript%3Aalert(1)', 'command%3aworkbench.action.quit', 'java\nscript:alert(1)'],
      ...['com mand:x', '\u0001command:x', 'file:///command%3Ax/../../command%3Ax'],
      ...['//evil.example/a', '\\\\evil.example\\share', '/\\evil.example'],
    ])
      assert.notEqual(parseLink(href).kind, 'web', href);
    for (const href of ['javascript%3Aalert(1)', 'java\nscript:alert(1)', '//evil.example/a'])
      assert.equal(parseLink(href).kind, 'refused', href);
  });

  it('the link parser reports the refused scheme of a link', () => {
    assert.deepEqual(parseLink('Command:x'), { kind: 'refused', scheme: 'command' });
    assert.deepEqual(parseLink('#a'), { kind: 'refused', scheme: '' });
  });

  it('the link parser reads positions in files in all notations', () => {
    assert.deepEqual(parseLink('src/a.ts'), file('src/a.ts'));
    assert.deepEqual(parseLink('a.ts:10'), file('a.ts', 10));
    assert.deepEqual(parseLink('Makefile:3:7'), file('Makefile', 3, 7));
    assert.deepEqual(parseLink('./src/a.ts:10-20'), file('./src/a.ts', 10, 1, 20));
    assert.deepEqual(parseLink('src/a.ts#L10'), file('src/a.ts', 10));
    assert.deepEqual(parseLink('src/a.ts#L10-L20'), file('src/a.ts', 10, 1, 20));
    assert.deepEqual(parseLink('src/a.ts#L10C5-L20C1'), file('src/a.ts', 10, 5, 20));
    assert.deepEqual(parseLink('src/a.ts(10,5)'), file('src/a.ts', 10, 5));
    assert.deepEqual(parseLink('src/my%20file.ts#heading'), file('src/my file.ts'));
    assert.deepEqual(parseLink('docs/100%.md'), file('docs/100%.md'));
    assert.deepEqual(parseLink('file:///w/a%20b.ts#L4'), file('/w/a b.ts', 4));
    assert.deepEqual(parseLink('file:///w/a.ts:4:2'), file('/w/a.ts', 4, 2));
  });

  it('the link parser reads links to Windows paths', () => {
    assert.deepEqual(parseLink('src\\a.ts:10'), file('src/a.ts', 10));
    assert.deepEqual(parseLink('C:\\w\\a.ts:10'), file('/C:/w/a.ts', 10));
    assert.deepEqual(parseLink('file:///C:/w/a.ts'), file('/C:/w/a.ts'));
  });

  it('the link parser reads encoded backslashes in links as slashes', () => {
    for (const href of ['..%5C..%5Csecret.txt', '..\\..\\secret.txt', '..%2f..%5csecret.txt'])
      assert.deepEqual(parseLink(href), file('../../secret.txt'));
  });

  it('the link parser keeps the host of a file URL', () => {
    const link = parseLink('file://evil.example/share/a.ts');
    assert.ok(link.kind === 'file');
    assert.equal(link.authority, 'evil.example');
    assert.equal(link.path, '/share/a.ts');
  });

  it('the link parser clamps the lines of a link to those of an editor', () => {
    assert.deepEqual(parseLink('a.ts:0:0'), file('a.ts', 1, 1, 1));
    const link = parseLink(`a.ts:${'9'.repeat(400)}`);
    assert.ok(link.kind === 'file' && Number.isSafeInteger(link.position?.line));
  });

  it('the link parser reads hostile links in linear time', () => {
    assert.equal(parseLink(`a${':1'.repeat(4000)}x`).kind, 'refused');
    assert.equal(parseLink(`./a${'(1'.repeat(4000)}`).kind, 'file');
  });
});
