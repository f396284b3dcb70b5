/** Most characters that are kept of a sentence from the service. */
const MAX_MESSAGE_CHARACTERS = 2_000;

/** Takes texts that must not be repeated out of a sentence, and bounds its length. */
export type Redact = (sentence: string) => string;

/**
 * Makes a {@link Redact} for the secrets of one request.
 *
 * A service may quote what it refuses. A sentence that repeats a secret, plain or as in JSON, is withheld as a whole:
 * cutting the secret out would show a short one by its absence. A name that contains a secret may be repeated.
 */
export function redactor(secrets: readonly string[], names: readonly string[] = []): Redact {
  const forms = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return (sentence) =>
    forms.some((form) => withoutNames(sentence, form, names).includes(form))
      ? '(withheld: it repeats a secret)'
      : sentence.slice(0, MAX_MESSAGE_CHARACTERS);
}

/** A sentence without the names that contain a secret. */
function withoutNames(sentence: string, secret: string, names: readonly string[]): string {
  const containing = names.filter((name) => name.includes(secret));
  return containing.reduce((rest, name) => rest.replaceAll(name, '\n'), sentence);
}
