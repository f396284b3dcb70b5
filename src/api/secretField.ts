import type { QuestionField } from './types.ts';

const SECRET_TYPE = /password|passphrase|secret/;
const SECRET_WORD =
  /(?:password|passwd|pwd|passphrase|(?:pass|pin|otp)code|token|key|secret|credential)$|^(?:pin|t?otp|code)$/;

/**
 * Whether a field's type or one of its name's words says that its value should not be seen: `apiKey`, `auth_token`.
 *
 * @param mayBeMany whether the value may hold several, as that of `api_keys` does
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
