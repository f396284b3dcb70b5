export interface Source {
  readonly root: string;
  readonly query: string;
}

/** Reads one reply to its end and returns the number of characters of its text. */
export type Reader = (source: Source) => Promise<number>;

const KEY = 'test-key-bench';
const PROMPT = 'Read this.';

/** The compared clients. Their imports are not measured. */
export const readers: Readonly<Record<string, () => Promise<Reader> | Reader>> = {
  floor: () => readFloor,
  client: loadClient,
  openai: loadOpenai,
  streamText: loadStreamText,
};

/** Does the least that any client must: read bytes, split lines, parse JSON. */
async function readFloor({ root, query }: Source): Promise<number> {
  const response = await fetch(`${root}/interns/bench/chat/completions${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: PROMPT }], stream: true }),
  });
  const decoder = new TextDecoder();
  let rest = '';
  let characters = 0;
  for await (const bytes of response.body as ReadableStream<Uint8Array>) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      if (!line.startsWith('data: ') || line === 'data: [DONE]') continue;
      const chunk = JSON.parse(line.slice(6)) as {
        readonly choices: readonly { readonly delta: { readonly content?: string } }[];
      };
      characters += chunk.choices[0]?.delta.content?.length ?? 0;
    }
  }
  return characters;
}

async function loadClient(): Promise<Reader> {
  const { createServiceClient, parseServiceUrl } = await import('../../../src/api/index.ts');
  return async ({ root, query }) => {
    const parsed = parseServiceUrl(root);
    if (!parsed.ok) throw new Error(parsed.error);
    const client = createServiceClient({
      root: parsed.value,
      key: () => KEY,
      fetch: (url, init) => fetch(url + query, init),
    });
    const mode = { approvalMode: 'manual', sessionId: null } as const;
    const request = { kind: 'prompt', text: PROMPT, ...mode } as const;
    let characters = 0;
    for await (const events of client.streamChat('bench', request))
      for (const event of events) if (event.kind === 'text') characters += event.text.length;

    return characters;
  };
}

async function loadOpenai(): Promise<Reader> {
  const { OpenAI } = await import('openai');
  return async ({ root, query }) => {
    const client = new OpenAI({
      apiKey: KEY,
      baseURL: `${root}/interns/bench`,
      fetch: (url, init) => fetch(`${url as string}${query}`, init),
    });
    const stream = await client.chat.completions.create({
      model: 'service/intern',
      messages: [{ role: 'user', content: PROMPT }],
      stream: true,
    });
    let characters = 0;
    for await (const chunk of stream) characters += chunk.choices[0]?.delta.content?.length ?? 0;
    return characters;
  };
}

async function loadStreamText(): Promise<Reader> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const { streamText } = await import('ai');
  return async ({ root, query }) => {
    const provider = createOpenAICompatible({
      name: 'bench',
      apiKey: KEY,
      baseURL: `${root}/interns/bench`,
      fetch: (url, init) => fetch(url + query, init),
    });
    const { textStream } = streamText({
      model: provider.chatModel('service/intern'),
      prompt: PROMPT,
    });
    let characters = 0;
    for await (const text of textStream) characters += text.length;
    return characters;
  };
}
