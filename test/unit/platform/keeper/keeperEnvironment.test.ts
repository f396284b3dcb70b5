import assert from 'node:assert/strict';
import { keeperEnvironment } from '../../../../src/platform/keeper/keeperEnvironment.ts';

const always = { ELECTRON_RUN_AS_NODE: '1', NODE_USE_SYSTEM_CA: '1' };

describe('the environment of a stream keeper', () => {
  it('a stream keeper gets folders and certificates, but no key and no option of Node', () => {
    const own = {
      HOME: '/home/me',
      Temp: 'C:\\Temp',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      INTERNS_API_KEY: 'CANARY',
      NODE_OPTIONS: '--require ./x.js',
      PATH: '/bin',
      VSCODE_PID: '1',
      TMP: undefined,
    };
    assert.deepEqual(keeperEnvironment(own, undefined), {
      HOME: '/home/me',
      Temp: 'C:\\Temp',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      ...always,
    });
  });

  it('a stream keeper gets the proxy of the environment rather than that of the settings', () => {
    const own = { https_proxy: 'http://own:1', no_proxy: 'localhost' };
    const setting = { url: 'http://setting:2', bypass: 'intranet' };
    assert.deepEqual(keeperEnvironment(own, setting), {
      ...own,
      ...always,
      NODE_USE_ENV_PROXY: '1',
    });
  });

  it('a stream keeper gets the proxy of the settings and its exceptions', () => {
    const setting = { url: 'http://setting:2', bypass: 'intranet,localhost' };
    assert.deepEqual(keeperEnvironment({ HTTP_PROXY: '' }, setting), {
      HTTP_PROXY: 'http://setting:2',
      HTTPS_PROXY: 'http://setting:2',
      NO_PROXY: 'intranet,localhost',
      ...always,
      NODE_USE_ENV_PROXY: '1',
    });
  });
});
