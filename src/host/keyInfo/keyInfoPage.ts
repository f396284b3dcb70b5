import { l10n } from 'vscode';
import type { Explanation } from '../words/explanation.ts';
import { formatAmount, formatShare, locale } from '../words/format.ts';
import { notGiven, type Amount, type Fact, type KeyFacts } from './keyFacts.ts';
import { styleSheet } from './keyInfoStyle.ts';

/** What the page is to show. */
export type PageContent =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly account: string; readonly explanation: Explanation }
  | { readonly kind: 'read'; readonly facts: KeyFacts; readonly readAt: string };

/**
 * The page as HTML. It has no script at all: its buttons are links that run the three commands that the panel allows.
 *
 * @param nonce Allows the page's one style sheet, and nothing else.
 */
export function keyInfoPage(title: string, content: PageContent, nonce: string): string {
  return `<!DOCTYPE html>
<html lang="${escape(locale())}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'">
<title>${escape(title)}</title>
<style nonce="${nonce}">${styleSheet}</style>
</head>
<body>
<main>
<h1>${escape(title)}</h1>
${body(content)}
</main>
</body>
</html>`;
}

function body(content: PageContent): string {
  switch (content.kind) {
    case 'reading':
      return `<p role="status">${escape(l10n.t('Asking the service…'))}</p>`;
    case 'failed':
      return failed(content.account, content.explanation);
    case 'read':
      return `${buttons([
        ['interns.refreshKeyInfo', l10n.t('Refresh')],
        ['interns.copyKeyInfo', l10n.t('Copy as JSON')],
      ])}
${sections(content.facts)}
<p class="note">${escape(l10n.t('Read {0}. The service gives no units for amounts.', content.readAt))}</p>`;
  }
}

function failed(account: string, { title, detail, serviceSays }: Explanation): string {
  const target = encodeURIComponent(JSON.stringify({ account }));
  const said = serviceSays && l10n.t('The service says: “{0}”', serviceSays);
  return `<p class="failure" role="alert"><strong>${escape(title)}</strong></p>
${[detail, said].map((text) => text && `<p>${escape(text)}</p>`).join('\n')}
${buttons([
  ['interns.refreshKeyInfo', l10n.t('Try Again')],
  [`interns.signIn?${target}`, l10n.t('Sign In')],
])}`;
}

function sections(facts: KeyFacts): string {
  return [
    section(l10n.t('Limit'), limitBar(facts) + factList(facts.limit)),
    section(
      l10n.t('Usage'),
      chart(l10n.t('Usage by day, week and month'), facts.usageByPeriod) +
        chart(l10n.t('Usage of own keys by day, week and month'), facts.ownKeyUsageByPeriod) +
        factList(facts.usage),
    ),
    section(l10n.t('Free models'), factList(facts.freeModels)),
    section(l10n.t('Key'), factList(facts.key)),
    section(l10n.t('Belongs to'), factList(facts.owner)),
  ].join('\n');
}

function section(title: string, content: string): string {
  return `<section><h2>${escape(title)}</h2>${content}</section>`;
}

function factList(facts: readonly Fact[]): string {
  const rows = facts.map(({ name, value }) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`);
  return `<dl>${rows.join('')}</dl>`;
}

function limitBar({ limitUsed }: KeyFacts): string {
  if (limitUsed === null) return '';
  const label = l10n.t('{0} of the limit is used', formatShare(limitUsed));
  return `<figure>${bar(limitUsed, label)}<figcaption>${escape(label)}</figcaption></figure>`;
}

/** Bars of amounts, each in proportion to the largest. */
function chart(caption: string, amounts: readonly Amount[]): string {
  const largest = Math.max(0, ...amounts.map(({ value }) => value ?? 0));
  const rows = amounts.map(({ name, value }) => {
    const shown = value === null ? notGiven() : formatAmount(value);
    const share = value === null || largest === 0 ? null : Math.max(0, value / largest);
    return `<tr><th scope="row">${escape(name)}</th><td class="bar">${
      share === null ? '' : bar(share, '')
    }</td><td>${escape(shown)}</td></tr>`;
  });
  return `<table><caption>${escape(caption)}</caption><tbody>${rows.join('')}</tbody></table>`;
}

/** A bar filled to a share from 0 to 1. Without a label it repeats what stands beside it, and is not read aloud. */
function bar(share: number, label: string): string {
  const name = label === '' ? 'aria-hidden="true"' : `role="img" aria-label="${escape(label)}"`;
  const filled = (share * 100).toFixed(2);
  return `<svg ${name} viewBox="0 0 100 8" preserveAspectRatio="none"><rect class="track" width="100" height="8"/><rect class="fill" width="${filled}" height="8"/></svg>`;
}

function buttons(commands: readonly (readonly [command: string, label: string])[]): string {
  const links = commands.map(
    ([command, label]) =>
      `<a class="button" role="button" href="command:${command}">${escape(label)}</a>`,
  );
  return `<p class="buttons">${links.join('')}</p>`;
}

/** Text as HTML that shows it and does nothing else, between tags and in attributes. */
export function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
