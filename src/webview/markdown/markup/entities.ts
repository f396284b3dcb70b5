const reference = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});/g;
const decoder = document.createElement('textarea');
const decoded = new Map<string, string>();

/**
 * Resolves HTML character references (`&amp;`, `&#8212;`). The browser knows them all: each is read once inside a
 * text area, where nothing but character references is markup, and remembered.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(reference, (entity) => {
    const known = decoded.get(entity);
    if (known !== undefined) return known;
    decoder.innerHTML = entity;
    decoded.set(entity, decoder.value);
    return decoder.value;
  });
}
