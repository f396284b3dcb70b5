const MASK = '‹redacted›';

/** Secrets shorter than this would blank out half of every line; no key is that short. */
const MIN_SECRET_CHARACTERS = 6;

/** What secrets look like wherever they come from. A first group, where there is one, is kept. */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g,
  /\b(bearer\s+)[^\s"',;]+/gi,
  /\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?)(?!bearer\b)[^\r\n"',;]+/gi,
  /((?:api[-_ ]?key|access[-_ ]?token|token|secret|password|passwd)["']?\s*[:=]\s*["']?)[^\s"',;]+/gi,
  /(\/\/[^\s/@:]+:)[^\s/@]+(?=@)/g,
  /\bsk-[\w-]{8,}/g,
  /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g,
];

/**
 * Takes secrets out of what is about to be logged. A second line of defence: what is logged should hold none in the first place.
 *
 * Knows the keys that this window has read, in the forms in which they appear in JSON, in URLs and in headers, and what
 * secrets look like.
 */
export class Redactor {
  readonly #secrets = new Set<string>();

  /** Takes note of a secret that must never pass from now on. */
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

  /** The text with every secret masked. */
  redact(text: string): string {
    let safe = text;
    for (const secret of this.#secrets) safe = safe.replaceAll(secret, MASK);
    for (const shape of SHAPES) {
      safe = safe.replace(shape, (_match, kept: unknown) =>
        typeof kept === 'string' ? kept + MASK : MASK,
      );
    }
    return safe;
  }
}
