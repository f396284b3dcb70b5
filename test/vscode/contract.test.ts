import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type packageJson from '../../package.json';
import { actionLabel } from '../../src/platform/text/failures.ts';
import type { ActionId } from '../../src/protocol/view.ts';

/** The names that keybindings, other extensions and packagers rely on. IDs never change, and a title only on purpose. */
const contract = {
  id: 'intern-service.interns',
  displayName: 'Interns',
  engine: '^1.100.0',
  extensionKind: ['ui', 'workspace'],
  authentication: 'interns',
  container: 'interns',
  tools: { interns_ask: ['askIntern', 'intern', 'prompt'], interns_list: ['listInterns'] },
  views: [
    ['interns.conversations', 'Conversations'],
    ['interns.interns', 'Interns'],
    ['interns.secrets', 'Vault Secrets'],
  ],
  chatView: ['interns.chatView', 'Chat'],
  settings: {
    'interns.baseUrl': { type: 'string', default: '', scope: 'application', ignoreSync: true },
    'interns.approvalMode': {
      type: 'string',
      default: 'manual',
      enum: ['manual', 'self-drive'],
      scope: 'application',
      ignoreSync: true,
    },
    'interns.costLimit': { type: 'number', default: 0, scope: 'application', ignoreSync: true },
    'interns.dailyCostLimit': {
      type: 'number',
      default: 0,
      scope: 'application',
      ignoreSync: true,
    },
    'interns.idempotencyHeader': { type: 'string', default: '', scope: 'application' },
    'interns.systemNotifications': {
      type: 'string',
      default: 'questions',
      enum: ['questions', 'questionsAndRuns', 'off'],
      scope: 'application',
    },
    'interns.notifyAfterSeconds': { type: 'number', default: 60, scope: 'application' },
    'interns.digestAfterMinutes': { type: 'number', default: 10 },
    'interns.keepRuns': {
      type: 'string',
      default: 'auto',
      enum: ['auto', 'always', 'untilClosed', 'never'],
      scope: 'application',
      ignoreSync: true,
    },
    'interns.chat.fontSize': { type: 'number', default: 0 },
    'interns.chat.narration': {
      type: 'string',
      default: 'sentences',
      enum: ['sentences', 'onCompletion', 'off'],
    },
    'interns.chat.speechRate': { type: 'number', default: 30, scope: 'window' },
    'interns.chat.escapeStops': { type: 'boolean', default: true, scope: 'window' },
    'interns.promptFolders': { type: 'array', default: [] },
    'interns.chat.sendWith': { type: 'string', default: 'enter', enum: ['enter', 'ctrl+enter'] },
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
    'interns.continueInNew': 'Continue in New Conversation…',
    'interns.answer': 'Answer Pending Question…',
    'interns.stop': 'Stop Run',
    'interns.stopAndSend': 'Stop and Send',
    'interns.sendSelection': 'Add Selection to Chat…',
    'interns.sendProblem': 'Add Problem to Chat…',
    'interns.sendChanges': 'Add Git Changes to Chat…',
    'interns.exportTranscript': 'Export Conversation…',
    'interns.exportDecisions': 'Export Decisions…',
    'interns.deleteSession': 'Delete Conversation…',
    'interns.setSecret': 'Set Vault Secret…',
    'interns.importSecrets': 'Import Vault Secrets from .env…',
    'interns.removeSecret': 'Remove Secret from This List…',
    'interns.showLog': 'Show Log',
    'interns.checkConnection': 'Check Connection',
    'interns.showDigest': 'Show Activity Summary',
    'interns.limitCost': 'Limit Cost of Conversation…',
    'interns.nextMessage': 'Go to Next Message',
    'interns.previousMessage': 'Go to Previous Message',
    'interns.nextPrompt': 'Go to Next Prompt',
    'interns.goToPrompt': 'Go to Prompt…',
    'interns.previousPrompt': 'Go to Previous Prompt',
    'interns.nextCodeBlock': 'Go to Next Code Block',
    'interns.previousCodeBlock': 'Go to Previous Code Block',
    'interns.openReplyAsText': 'Open Reply as Text',
    'interns.returnToChat': 'Return to Chat',
    'interns.accessibilityHelp': 'Open Chat Accessibility Help',
    'interns.whenUnanswered': 'Set Action for Unanswered Questions…',
    'interns.moveToSideBar': 'Move Chat to Side Bar',
    'interns.moveToEditor': 'Move Chat to Editor',
    'interns.pinConversation': 'Pin Conversation',
    'interns.archiveConversation': 'Archive Conversation',
    'interns.askSeveral': 'Ask Several Interns…',
    'interns.goToWaiting': 'Go to Waiting Chat',
    'interns.goToUnread': 'Go to Unread Chat',
    'interns.openRecent': 'Open Recent Conversation…',
    'interns.markRead': 'Mark as Read',
    'interns.markUnread': 'Mark as Unread',
    'interns.markAllRead': 'Mark All as Read',
  },
  buttons: { answer: 'Answer', retry: 'Retry', giveUpAndSend: 'Give Up Question and Send' },
  /** The key of a command, the one on macOS, and when it works unless that is long. */
  keys: {
    'interns.findInChat': ['ctrl+f', 'cmd+f'],
    'interns.answer': ['ctrl+k a', 'cmd+k a', 'interns.pendingQuestions > 0'],
    'interns.openChat': ['ctrl+k shift+c', 'cmd+k shift+c', 'interns.signedIn'],
    'interns.focusComposer': ['ctrl+k shift+m', 'cmd+k shift+m', 'interns.signedIn'],
    'interns.goToWaiting': ['ctrl+k shift+a', 'cmd+k shift+a', 'interns.pendingQuestions > 0'],
  },
} as const;

/** Names in the form `%name%` are replaced by VS Code. */
type Manifest = typeof packageJson;

describe('the contract', () => {
  let manifest: Manifest;

  before(async () => {
    const extension = vscode.extensions.getExtension(contract.id);
    assert.ok(extension, `${contract.id} is not installed`);
    await extension.activate();
    manifest = extension.packageJSON as Manifest;
  });

  it('the manifest keeps the name, engine and kinds of the package', () => {
    assert.equal(manifest.displayName, contract.displayName);
    assert.equal(manifest.engines.vscode, contract.engine);
    assert.deepEqual(manifest.extensionKind, contract.extensionKind);
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  });

  for (const [id, title] of Object.entries(contract.commands)) {
    it(`the manifest keeps the ID and title of the command ${id}`, () => {
      const declared = manifest.contributes.commands.find(({ command }) => command === id);
      assert.equal(declared?.title, title);
      assert.equal(declared.category, 'Interns');
    });
  }

  for (const [id, expected] of Object.entries(contract.keys)) {
    it(`the manifest keeps the key of the command ${id}`, () => {
      const bound = manifest.contributes.keybindings.filter(({ command }) => command === id);
      const found = bound.map(({ key, mac, when }) => [key, mac, when].slice(0, expected.length));
      assert.deepEqual(found, [expected]);
    });
  }

  for (const [id, expected] of Object.entries(contract.settings)) {
    it(`the manifest keeps the type, default and scope of the setting ${id}`, () => {
      const properties: Record<string, object> = manifest.contributes.configuration.properties;
      const declared = properties[id] ?? {};
      const fixed = Object.entries(declared).filter(([name]) => name in expected);
      assert.deepEqual(Object.fromEntries(fixed), expected);
    });
  }

  it('the manifest keeps the IDs and names of the views', () => {
    const { viewsContainers, views } = manifest.contributes;
    assert.ok(viewsContainers.activitybar.some(({ id }) => id === contract.container));
    const names = views[contract.container].map(({ id, name }) => [id, name]);
    assert.deepEqual(names, contract.views);
    const all = Object.values(views).flatMap((each) => each.map(({ id, name }) => [id, name]));
    assert.ok(all.some((each) => isDeepStrictEqual(each, contract.chatView)));
  });

  it('the manifest keeps the names and required inputs of the agent tools', () => {
    const tools = manifest.contributes.languageModelTools.map(
      ({ name, toolReferenceName, inputSchema: { required = [] } }) =>
        [name, [toolReferenceName, ...required]] as const,
    );
    assert.deepEqual(Object.fromEntries(tools), contract.tools);
  });

  for (const [id, label] of Object.entries(contract.buttons))
    it(`the chat keeps the name of the button ${label}`, () => {
      assert.equal(actionLabel(id as ActionId), label);
    });

  it('the manifest keeps the ID of the authentication provider', () => {
    const ids = manifest.contributes.authentication.map(({ id }) => id);
    assert.deepEqual(ids, [contract.authentication]);
  });
});
