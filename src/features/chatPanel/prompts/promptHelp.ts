import type { HostMessages, PageMessages } from '../../../protocol/messages.ts';
import type { PromptContext } from '../../context/promptContext.ts';
import type { PromptFiles } from '../../context/promptFiles.ts';

interface PromptHelpOptions {
  readonly context: PromptContext;
  readonly promptFiles: PromptFiles;
  /** What was sent before the last prompts of the conversation, oldest first. */
  readonly earlierPrompts: () => Promise<readonly string[]>;
  readonly post: <K extends keyof HostMessages>(type: K, body: HostMessages[K]) => void;
}

/** What the host knows for whoever writes a prompt: files, prompts that the workspace keeps, and those that were sent. */
export class PromptHelp {
  readonly #options: PromptHelpOptions;

  constructor(options: PromptHelpOptions) {
    this.#options = options;
  }

  async complete({ request, kind, query }: PageMessages['complete']): Promise<void> {
    const { context, promptFiles, post } = this.#options;
    const items = await (kind === 'file' ? context.complete(query) : promptFiles.find(query));
    post('completions', { request, items });
  }

  async choose({ kind, id }: PageMessages['chooseCompletion']): Promise<void> {
    const { context, promptFiles, post } = this.#options;
    if (kind === 'file') return context.attachCompletion(id);
    const text = await promptFiles.compose(id);
    if (text !== undefined) post('compose', { text, where: 'completed' });
  }

  async recall(): Promise<void> {
    const { earlierPrompts, post } = this.#options;
    post('recalled', { prompts: await earlierPrompts() });
  }
}
