import * as vscode from 'vscode';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { AgentTool, FindTool } from '../../platform/startup.ts';
import { activeAccount } from '../accounts/account.ts';
import { AskTool, type AskToolPorts, nameForAgents } from './askTool.ts';

export function createAgentTools(ports: AskToolPorts): FindTool {
  const tools = new Map<string, AgentTool>([
    ['interns_ask', new AskTool(ports)],
    ['interns_list', listTool(ports)],
  ]);
  return (name) => {
    const tool = tools.get(name);
    if (tool === undefined) throw new Error(`The tool ${name} does nothing`);
    return tool;
  };
}

/** Lists only the names and statuses of the active account's interns. */
function listTool({ accounts, interns }: AskToolPorts): AgentTool {
  return {
    prepareInvocation: () => ({ invocationMessage: vscode.l10n.t('Listing interns') }),
    invoke: async () => {
      await accounts.whenLoaded;
      const records = await interns.list(activeAccount(accounts));
      const listed = records.map((record) => {
        // Not translated, because a model reads it.
        const unlisted = record.statusFrom === 'chat' ? 'not_running' : 'not_known';
        const lastSeen = record.status === null ? unlisted : plainLine(record.status, 40);
        return { name: nameForAgents(record), lastSeen };
      });
      const text = JSON.stringify(listed);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  };
}
