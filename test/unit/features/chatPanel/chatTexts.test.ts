import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ChatTexts } from '../../../../src/features/chatPanel/chatTexts.ts';
import type { OpenConversation } from '../../../../src/features/conversations/conversations.ts';
import { Stage } from '../../conversation/conversationStage.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('ChatTexts', () => {
  const stub = useStubs();

  it('a reply that is open as text is updated when its run is stopped', async () => {
    const textDocuments: { readonly uri: vscode.Uri }[] = [];
    const register = () => ({ dispose: () => undefined });
    stub(vscode.workspace, { registerTextDocumentContentProvider: register, textDocuments });
    stub(vscode.languages, { registerDocumentLinkProvider: register });
    stub(vscode.window, { showTextDocument: (uri: vscode.Uri) => textDocuments.push({ uri }) });
    const stage = Stage.asked('Go');
    const { conversation } = stage;
    const open = { conversation } as OpenConversation;
    const onDidChangeState = (listener: () => void) =>
      conversation.onDidChange(({ stateChanged }) => stateChanged && listener());
    const texts = new ChatTexts({
      conversations: { live: [open], onDidChangeState },
      internName: () => 'ada',
    } as unknown as ConstructorParameters<typeof ChatTexts>[0]);
    await texts.showReply(open, null);
    const shown: string[] = [];
    texts.onDidChange((uri) => shown.push(texts.provideTextDocumentContent(uri)));
    await stage.last.open().say({ kind: 'text', text: 'Half' }).taken();
    assert.equal(shown.length, 0, 'the text stays as it is during the run');
    stage.stop();
    assert.match(shown[0] ?? '', /Half\n\n> Stopped\n$/);
    texts.dispose();
  });
});
