import { commands, FileType, l10n, Uri, workspace } from 'vscode';
import { plainLine, withoutDeceptive } from '../../platform/dialogs/plainText.ts';
import { warn } from '../../platform/dialogs/statusMessage.ts';
import { inputStep, runSteps } from '../../platform/dialogs/steps.ts';
import type { Settings } from '../../platform/settings.ts';
import type { CompletionItem } from '../../protocol/messages.ts';
import { resolveLinks } from '../editor/workspaceFiles.ts';
import { readFileText } from './fileText.ts';
import { Completions, rankFiles } from './completions.ts';
import { displayPath } from './fileUris.ts';
import { fillInputs, findInputs, parsePromptText } from './promptText.ts';
import type { PlatformServices } from '../../platform/services.ts';

const PROMPT_EXTENSION = '.prompt.md';
/** The folder that every workspace uses. A setting adds more. */
const DEFAULT_FOLDER = '.github/prompts';
const MAX_COMPLETIONS = 50;
const MAX_LISTED_FILES = 200;
/** The ID of the item that opens the trust editor. Other IDs are numbers. */
const TRUST_ITEM_ID = 'trust';

interface PromptFile {
  readonly uri: Uri;
  /** The file name without its extension. */
  readonly name: string;
  /** Empty unless another prompt has the same name. */
  readonly folder: string;
  readonly description: string;
}

interface PromptFilePorts extends Pick<PlatformServices, 'clock' | 'dialogs'> {
  readonly settings: Pick<Settings, 'promptFolders'>;
}

/**
 * Lists the prompt files of the workspace. Files outside of it, or behind a link that leads out, are not read. Nothing is
 * read in an untrusted workspace, because a prompt is sent in the user's name.
 */
export class PromptFiles {
  readonly #ports: PromptFilePorts;
  readonly #completions: Completions<PromptFile>;

  constructor(ports: PromptFilePorts) {
    this.#ports = ports;
    this.#completions = new Completions(ports.clock, () => this.#read());
  }

  /** Finds at most 50 prompts for the text after `/`. In Restricted Mode, offers to manage trust instead. */
  async find(query: string): Promise<readonly CompletionItem[]> {
    if (!workspace.isTrusted) return workspace.workspaceFolders === undefined ? [] : [trustItem()];
    const found = rankFiles(await this.#completions.list(), query, ({ name }) => name);
    return found.slice(0, MAX_COMPLETIONS).map((file) => ({
      id: this.#completions.issue(file),
      label: plainLine(file.name, 80),
      detail: plainLine(joined(file.folder, file.description), 200),
    }));
  }

  /** Asks for the inputs of a prompt and returns its text; undefined if the user left. */
  async compose(id: string): Promise<string | undefined> {
    if (id === TRUST_ITEM_ID) void commands.executeCommand('workbench.trust.manage');
    const file = this.#completions.get(id);
    if (file === undefined) return undefined;
    const title = plainLine(joined(file.name, file.folder), 200);
    const body = (await readPrompt(file.uri))?.body;
    if (body === undefined) {
      warn(l10n.t('Couldn’t read the prompt {0}.', title));
      return undefined;
    }
    const inputs = findInputs(body);
    const steps = inputs.map(({ name, placeholder }) =>
      inputStep<string, Readonly<Record<string, string>>>(name, () => ({
        prompt: plainLine(name),
        placeholder: plainLine(placeholder),
      })),
    );
    const unfilled = Object.fromEntries(inputs.map(({ name }) => [name, '']));
    const { kind, values } = await runSteps(this.#ports.dialogs, steps, unfilled, { title });
    return kind === 'done' ? fillInputs(body, new Map(Object.entries(values))) : undefined;
  }

  async #read(): Promise<readonly PromptFile[]> {
    const folders = new Map<string, Uri>();
    for (const { uri } of workspace.workspaceFolders ?? [])
      for (const path of [DEFAULT_FOLDER, ...this.#ports.settings.promptFolders(uri)]) {
        const folder = Uri.joinPath(uri, path.replaceAll('\\', '/'));
        folders.set(folder.toString().replace(/\/$/u, ''), folder);
      }
    const uris = (await Promise.all([...folders.values()].map(filesIn))).flat();
    const files = await Promise.all(uris.slice(0, MAX_LISTED_FILES).map(readFile));
    return withFolders(files.filter((file) => file !== undefined));
  }
}

function trustItem(): CompletionItem {
  return {
    id: TRUST_ITEM_ID,
    label: l10n.t('Manage Workspace Trust'),
    detail: l10n.t('Workspace prompts aren’t available in Restricted Mode.'),
    isNotice: true,
  };
}

/** Adds folders to prompts that share a name: relative ones if these differ, else absolute ones. */
function withFolders(files: readonly PromptFile[]): readonly PromptFile[] {
  return files.map((file) => {
    const alike = files.filter(({ name, uri }) => name === file.name && uri !== file.uri);
    const relative = folderOf(displayPath(file.uri));
    const isUnique = alike.every(({ uri }) => folderOf(displayPath(uri)) !== relative);
    const folder = isUnique ? relative : folderOf(file.uri.path);
    return alike.length === 0 ? file : { ...file, folder };
  });
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function joined(...parts: readonly string[]): string {
  return parts.filter(Boolean).join(' · ');
}

/** Lists the prompt files of a folder, by name; none if it is missing or outside the workspace. */
async function filesIn(folder: Uri): Promise<readonly Uri[]> {
  if ((await resolveLinks(folder))?.isInside === false) return [];
  try {
    const entries = await workspace.fs.readDirectory(folder);
    return entries
      .filter(([name, type]) => name.endsWith(PROMPT_EXTENSION) && (type & FileType.File) !== 0)
      .map(([name]) => Uri.joinPath(folder, name))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  } catch {
    return [];
  }
}

async function readFile(uri: Uri): Promise<PromptFile | undefined> {
  const read = await readPrompt(uri);
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1, -PROMPT_EXTENSION.length);
  return read && { uri, name, folder: '', description: read.description };
}

/** Returns undefined for a file that is unreadable, too large for a prompt, or outside the workspace. */
async function readPrompt(uri: Uri) {
  if ((await resolveLinks(uri))?.isInside === false) return undefined;
  const read = await readFileText(uri);
  return read.ok ? parsePromptText(withoutDeceptive(read.value.text)) : undefined;
}
