import type { QuestionField } from './types.ts';

const SECRET_TYPE = /password|passphrase|secret/;
const SECRET_WORD =
  /(?:password|passwd|pwd|passphrase|(?:pass|pin|otp)code|token|key|secret|credential)$|^(?:pin|t?otp|code)$/;

/**
 * Returns whether a field's type, or a word in its name, says that its value is secret: `apiKey`, `auth_token`.
 *
 * @param mayBeMany whether plural words count, as in `api_keys`
 */
export function isSecretField(
  { name, type }: Pick<QuestionField, 'name' | 'type'>,
  mayBeMany: boolean,
): boolean {
  if (SECRET_TYPE.test(type.toLowerCase())) return true;
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$3 $2')
    .toLowerCase();
  return words
    .split(/[^\p{L}]+/u)
    .some((word) => SECRET_WORD.test(mayBeMany ? word.replace(/s$/, '') : word));
}
