import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** The names that users' keybindings, other extensions and packagers rely on: none of them may change. */
const contract = {
  id: 'intern-service.interns',
  displayName: 'Interns',
  engine: '^1.100.0',
  extensionKind: ['ui', 'workspace'],
  authentication: 'interns',
  container: 'interns',
  views: { 'interns.interns': 'Interns', 'interns.secrets': 'Vault Secrets' },
  settings: {
    'interns.baseUrl': { type: 'string', default: '', scope: 'application', ignoreSync: true },
    'interns.approvalMode': {
      type: 'string',
      default: 'manual',
      enum: ['manual', 'self-drive'],
      scope: 'application',
      ignoreSync: true,
    },
    'interns.idempotencyHeader': { type: 'string', default: '', scope: 'application' },
  },
  commands: {
    'interns.signIn': 'Sign In…',
    'interns.signOut': 'Sign Out…',
    'interns.showKeyInfo': 'Show API Key Information',
    'interns.createIntern': 'Create Intern…',
    'interns.resumeCreation': 'Resume Creation…',
    'interns.addIntern': 'Add Intern by ID…',
    'interns.removeIntern': 'Remove Intern from This List…',
    'interns.openChat': 'Open Chat…',
    'interns.newConversation': 'New Conversation…',
    'interns.answer': 'Answer Pending Question…',
    'interns.stop': 'Stop Run',
    'interns.sendSelection': 'Send Selection to Chat…',
    'interns.exportTranscript': 'Export Conversation…',
    'interns.deleteSession': 'Delete Conversation…',
    'interns.setSecret': 'Set Vault Secret…',
    'interns.importSecrets': 'Import Vault Secrets from .env…',
    'interns.removeSecret': 'Remove Secret from This List…',
    'interns.showLog': 'Show Log',
  },
} as const;

interface Contributed {
  readonly id: string;
  readonly name: string;
}

/** What this test reads of package.json, its `%names%` replaced by VS Code. */
interface Manifest {
  readonly displayName: string;
  readonly engines: { readonly vscode: string };
  readonly extensionKind: readonly string[];
  readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: unknown } };
  readonly contributes: {
    readonly authentication: readonly { readonly id: string }[];
    readonly commands: readonly { command: string; title: string; category: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, object>> };
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string }[] };
    readonly views: Readonly<Record<string, readonly Contributed[]>>;
  };
}

describe('the names that others rely on', () => {
  let manifest: Manifest;
  let registered: ReadonlySet<string>;

  before(async () => {
    const extension = vscode.extensions.getExtension(contract.id);
    assert.ok(extension, `${contract.id} is not installed`);
    await extension.activate();
    manifest = extension.packageJSON as Manifest;
    registered = new Set(await vscode.commands.getCommands(true));
  });

  it('hold for the package and where it runs', () => {
    assert.equal(manifest.displayName, contract.displayName);
    assert.equal(manifest.engines.vscode, contract.engine);
    assert.deepEqual(manifest.extensionKind, contract.extensionKind);
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  });

  for (const [id, title] of Object.entries(contract.commands)) {
    it(`hold for the command ${id}, which is there when called`, () => {
      const declared = manifest.contributes.commands.find(({ command }) => command === id);
      assert.equal(declared?.title, title);
      assert.equal(declared.category, 'Interns');
      assert.ok(registered.has(id), 'it has no handler');
    });
  }

  for (const [id, expected] of Object.entries(contract.settings)) {
    it(`hold for the setting ${id}`, () => {
      const declared = manifest.contributes.configuration.properties[id] ?? {};
      const fixed = Object.entries(declared).filter(([name]) => name in expected);
      assert.deepEqual(Object.fromEntries(fixed), expected);
    });
  }

  it('hold for the views and their container', () => {
    const { viewsContainers, views } = manifest.contributes;
    assert.ok(viewsContainers.activitybar.some(({ id }) => id === contract.container));
    const names = views[contract.container]?.map(({ id, name }) => [id, name]);
    assert.deepEqual(Object.fromEntries(names ?? []), contract.views);
  });

  it('hold for the authentication provider', () => {
    const ids = manifest.contributes.authentication.map(({ id }) => id);
    assert.deepEqual(ids, [contract.authentication]);
  });
});
