import assert from 'node:assert/strict';
import { isPrivate } from '../../../../src/features/context/privateFiles.ts';

const privateNames = `
  .env .env.local prod.env app.env.production .npmrc .ssh/config a/.aws/credentials server.pem server.key id_rsa
  keys/id_ed25519 cert.p12 cert.pfx passwords.kdbx release.jks credentials credentials.json google-credentials.json
  client_secret_1.json secrets.yml service-account.json terraform.tfstate.backup prod.tfvars kubeconfig
  .ENV \u200b.env ．env .env. server.PEM ID_RSA SERVER~1.PEM a.pem::$DATA
`;

const ordinaryNames = `
  src/app.ts README.md LICENSE package.json src/env.ts src/keyboard.ts src/monkey.ts
  docs/environment.md src/tokens.ts src/keys/index.ts a.json src/secretary.ts
`;

describe('isPrivate', () => {
  const fileNamesIn = (text: string) => text.trim().split(/\s+/u);

  it('isPrivate marks hidden files, keys and lists of secrets', () => {
    const missed = fileNamesIn(privateNames).filter((name) => !isPrivate(name));
    assert.deepEqual(missed, []);
  });

  it('isPrivate leaves ordinary files unmarked', () => {
    assert.deepEqual(fileNamesIn(ordinaryNames).filter(isPrivate), []);
  });
});
