const MASK = '‹redacted›';

/** Shorter secrets would mask half of every line. No key is this short. */
const MIN_SECRET_CHARACTERS = 6;

/** Patterns of secrets. The first group, if any, is not masked. */
const PATTERNS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g,
  /\b(bearer\s+)[^\s"',;]+/gi,
  /\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?)(?!bearer\b)[^\r\n"',;]+/gi,
  /((?:api[-_ ]?key|access[-_ ]?token|token|secret|password|passwd)["']?\s*[:=]\s*["']?)[^\s"',;]+/gi,
  /(\/\/[^\s/@:]+:)[^\s/@]+(?=@)/g,
  /\bsk-[\w-]{8,}/g,
  /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g,
];

/**
 * Masks secrets in log lines: the keys that this window has read (plain, in JSON, in URLs and in base64), and text that
 * looks like a secret. It is a second line of defense: no log line should hold a secret.
 */
export class Redactor {
  readonly #secrets = new Set<string>();

  add(secret: string): void {
    if (secret.length < MIN_SECRET_CHARACTERS) return;
    const forms = [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(Buffer.from(secret).toString()),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    ];
    for (const form of forms) this.#secrets.add(form);
  }

  redact(text: string): string {
    let safe = text;
    for (const secret of this.#secrets) safe = safe.replaceAll(secret, MASK);
    for (const pattern of PATTERNS)
      safe = safe.replace(pattern, (_match, prefix: unknown) =>
        typeof prefix === 'string' ? prefix + MASK : MASK,
      );
    return safe;
  }
}
