/** How much usage an intern reports: everything, only the required numbers, or nothing. */
export type UsageReport = 'full' | 'tokens' | 'none';

/** Interface: Usage object. */
export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cost?: number;
  prompt_tokens_details?: { cached_tokens: number };
}

const CHARACTERS_PER_TOKEN = 4;
const DOLLARS_PER_TOKEN = 0.000_002;

/**
 * Computes plausible usage from lengths alone.
 * @param fresh characters of this prompt
 * @param cached characters of the session's earlier prompts
 * @param written characters of the reply
 */
export function computeUsage(
  report: UsageReport,
  { fresh, cached, written }: { fresh: number; cached: number; written: number },
): Usage | null {
  if (report === 'none') return null;
  const cachedTokens = tokens(cached);
  const promptTokens = cachedTokens + tokens(fresh);
  const completionTokens = tokens(written);
  const total = promptTokens + completionTokens;
  const usage: Usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: total,
  };
  if (report === 'tokens') return usage;
  return {
    ...usage,
    cost: Math.round(total * DOLLARS_PER_TOKEN * 1e6) / 1e6,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

function tokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
