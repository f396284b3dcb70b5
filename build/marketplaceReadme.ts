/**
 * Returns the README for the VSIX. The marketplace and VS Code don't show a `<picture>`, so each becomes its plain image.
 * vsce makes relative addresses absolute with the repository of package.json. If that is not known, there are no images,
 * and links are text.
 */
export function marketplaceReadme(readme: string, hasRepository: boolean): string {
  const plain = readme.replace(
    /<picture>\s*<source [^>]*>\s*<img src="([^"]*)" alt="([^"]*)">\s*<\/picture>/g,
    '![$2]($1)',
  );
  if (hasRepository) return plain;
  return plain
    .replace(/^!\[[^\]]*\]\((?!https:)[^)]*\)\n+/gm, '')
    .replace(/\[([^\]]*)\]\((?!https:|#)[^)]*\)/g, '$1');
}
