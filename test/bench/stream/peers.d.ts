/** Types of the peers that only the bench installs (see ../package.json). */

declare module '@ai-sdk/openai-compatible' {
  export function createOpenAICompatible(options: {
    readonly name: string;
    readonly apiKey: string;
    readonly baseURL: string;
    readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  }): { chatModel(id: string): unknown };
}

declare module 'ai' {
  export function streamText(options: { readonly model: unknown; readonly prompt: string }): {
    readonly textStream: AsyncIterable<string>;
  };
}
