import { l10n } from 'vscode';
import {
  ApiError,
  parseKey,
  parseServiceUrl,
  proposeServiceUrl,
  type ApiErrorKind,
  type ServiceUrl,
} from '../../api/index.ts';
import type { Dialogs, Refusal, Submit } from '../../platform/dialogs/dialogs.ts';
import { inputStep, type Step, runSteps } from '../../platform/dialogs/steps.ts';
import { type Account, type Accounts, serviceUrlLabel } from './account.ts';
import { explainFailure } from '../../platform/text/failures.ts';
import { serviceUrlMessage, keyMessage } from '../../platform/text/limitMessages.ts';
import { asSentence, formatSentences } from '../../platform/text/format.ts';

export interface SignInOptions {
  readonly accounts: Pick<Accounts, 'signIn'>;
  readonly dialogs: Dialogs;
  /** The URL of the setting, or of the account that needs its key again. A valid one is not asked for. */
  readonly root?: string;
  readonly proposedRoot?: string;
}

interface Values {
  readonly root: string;
  readonly key: string;
}

/** A host name with a dot. Other text may be an API key that was pasted into the wrong box. */
const HOST_WITHOUT_SCHEME = /^(?:[a-z\d-]{1,63}\.)+[a-z]{2,}(?:[:/]|$)/iu;

/** Failures whose cause is the URL, not the key. */
const ROOT_KINDS: ReadonlySet<ApiErrorKind> = new Set([
  'not-the-service',
  'redirect',
  'network',
  'tls',
  'unexpected-answer',
]);

/**
 * Asks for the service URL, unless it is set, and for the API key, which the service checks. If another server responds,
 * proposes the usual version prefix. Returns undefined if the user left.
 */
export async function signIn({
  accounts,
  dialogs,
  root: given = '',
  proposedRoot = '',
}: SignInOptions): Promise<Account | undefined> {
  // An invalid setting is shown in the box, where it can be corrected for this sign-in.
  let asksServiceUrl = !parseServiceUrl(given).ok;
  /** The URLs that were probably meant, by those that were entered. The last one is shown. */
  const proposals = new Map<ServiceUrl, ServiceUrl>();
  let account: Account | undefined;
  const refuse = (failure: ApiError, root: ServiceUrl): Refusal => {
    const refusal = refusalOf(failure);
    const to = failure.kind === 'not-the-service' ? proposeServiceUrl(root) : null;
    if (to !== null && !proposals.has(root)) {
      proposals.set(root, to);
      return { message: refusal.message, step: 'proposal' };
    }
    if (!ROOT_KINDS.has(failure.kind)) return refusal;
    asksServiceUrl = true;
    return { ...refusal, step: 'root' };
  };
  const submit: Submit<Values> = async (values, signal) => {
    const root = readServiceUrl(values.root);
    const key = parseKey(values.key);
    if (!root.ok || !key.ok) throw new Error('An input box accepted an invalid value');
    try {
      account = await accounts.signIn(root.value, key.value, signal);
      return undefined;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      return refuse(failure, root.value);
    }
  };
  const steps = [rootStep(() => asksServiceUrl), keyStep(submit), proposalStep(proposals, submit)];
  const initial = { root: given === '' ? proposedRoot : given, key: '' };
  await runSteps(dialogs, steps, initial, { title: l10n.t('Sign In') });
  return account;
}

/** Reads a URL as users type it, where `https://` may be missing. */
function readServiceUrl(text: string): ReturnType<typeof parseServiceUrl> {
  const typed = text.trim();
  return parseServiceUrl(HOST_WITHOUT_SCHEME.test(typed) ? `https://${typed}` : typed);
}

function rootStep(applies: () => boolean): Step<Values> {
  const box = {
    prompt: l10n.t('Service URL, including the version'),
    placeholder: 'https://interns.example.com/api/v1',
    validate: (text: string) => {
      const root = readServiceUrl(text);
      return root.ok ? undefined : serviceUrlMessage(root.error);
    },
  };
  return inputStep('root', () => box, applies);
}

/** Shown only after a refusal. Signs in with the selected URL and the key that was entered before. */
function proposalStep(
  proposals: ReadonlyMap<ServiceUrl, ServiceUrl>,
  submit: Submit<Values>,
): Step<Values> {
  return {
    id: 'proposal',
    applies: () => false,
    show: (values, ask) => {
      const [from = '', to = ''] = [...proposals].at(-1) ?? [];
      return ask.pick({
        title: l10n.t('Select Service URL'),
        rows: [
          { label: to, description: l10n.t('with the usual version'), value: to },
          { label: from, description: l10n.t('as entered'), value: from },
        ],
        active: to,
        submit: async (root: string, signal) => {
          const refusal = await submit({ ...values, root }, signal);
          return refusal && { step: 'key', ...refusal };
        },
        write: (root: string) => ({ ...values, root }),
      });
    },
  };
}

function keyStep(submit: Submit<Values>): Step<Values> {
  return inputStep('key', ({ root }) => ({
    prompt: l10n.t(
      'API key for {0}. It’s kept in the editor’s secret storage and sent nowhere else.',
      serviceUrlLabel(root),
    ),
    password: true,
    validate: (text) => {
      const key = parseKey(text);
      return key.ok ? undefined : keyMessage(key.error);
    },
    submit: (key, signal) => submit({ root, key }, signal),
  }));
}

function refusalOf(failure: ApiError): Refusal {
  const { title, detail, serviceQuote } = explainFailure(failure);
  const advice =
    failure.kind === 'signed-out'
      ? l10n.t('Check that you copied all of it, and that it belongs to this service URL.')
      : detail;
  return { message: asSentence(title), detail: formatSentences([advice, serviceQuote]) };
}
