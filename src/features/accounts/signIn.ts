import { l10n } from 'vscode';
import {
  ApiError,
  parseKey,
  parseServiceUrl,
  proposeServiceUrl,
  type ApiErrorKind,
  type ServiceUrl,
} from '../../api/index.ts';
import type { Dialogs, Refusal } from '../../platform/dialogs/dialogs.ts';
import { inputStep, type Step, runSteps } from '../../platform/dialogs/steps.ts';
import { type Account, type Accounts, shownHost } from './account.ts';
import { explainFailure } from '../../platform/text/failures.ts';
import { serviceUrlMessage, keyMessage } from '../../platform/text/limitMessages.ts';

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
export async function signIn(options: SignInOptions): Promise<Account | undefined> {
  const dialog = new SignInDialog(options);
  await runSteps(options.dialogs, dialog.steps, dialog.initial);
  return dialog.account;
}

class SignInDialog {
  readonly initial: Values;
  readonly steps: readonly Step<Values>[];
  account: Account | undefined;
  readonly #options: SignInOptions;
  #asksServiceUrl: boolean;
  /** The URL that was probably meant, set when the one entered is not the service's. */
  #proposal: { readonly from: ServiceUrl; readonly to: ServiceUrl } | undefined;

  constructor(options: SignInOptions) {
    this.#options = options;
    const { root = '', proposedRoot = '' } = options;
    // An invalid setting is shown in the box, where it can be corrected for this sign-in.
    this.#asksServiceUrl = !parseServiceUrl(root).ok;
    this.initial = { root: root === '' ? proposedRoot : root, key: '' };
    this.steps = [this.#rootStep(), this.#proposalStep(), this.#keyStep()];
  }

  #rootStep(): Step<Values> {
    return inputStep(
      'root',
      () => ({
        title: l10n.t('Sign In'),
        prompt: l10n.t('Service URL, including the version'),
        placeholder: 'https://interns.example.com/api/v1',
        validate: (text) => {
          const root = parseServiceUrl(text);
          return root.ok ? undefined : serviceUrlMessage(root.error);
        },
      }),
      () => this.#asksServiceUrl,
    );
  }

  #proposalStep(): Step<Values> {
    return {
      id: 'proposal',
      applies: ({ root }) => this.#proposal !== undefined && this.#proposal.from === root.trim(),
      show: (values, ask) => {
        const { from, to } = this.#proposal ?? { from: '', to: '' };
        return ask.pick({
          title: l10n.t('Select Service URL'),
          rows: [
            { label: to, description: l10n.t('with the usual version'), value: to },
            { label: from, description: l10n.t('as entered'), value: from },
          ],
          write: (root: string) => ({ ...values, root }),
        });
      },
    };
  }

  #keyStep(): Step<Values> {
    return inputStep('key', ({ root }) => ({
      title: l10n.t('Sign In'),
      prompt: l10n.t(
        'API key for {0}. It’s kept in the editor’s secret storage and sent nowhere else.',
        shownHost(root),
      ),
      password: true,
      validate: (text) => {
        const key = parseKey(text);
        return key.ok ? undefined : keyMessage(key.error);
      },
      submit: (key, signal) => this.#submit({ root, key }, signal),
    }));
  }

  async #submit(values: Values, signal: AbortSignal): Promise<Refusal | undefined> {
    const root = parseServiceUrl(values.root);
    const key = parseKey(values.key);
    if (!root.ok) return { message: serviceUrlMessage(root.error), step: 'root' };
    if (!key.ok) return { message: keyMessage(key.error) };
    try {
      this.account = await this.#options.accounts.signIn(root.value, key.value, signal);
      return undefined;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      return this.#refuse(failure, root.value);
    }
  }

  #refuse(failure: ApiError, root: ServiceUrl): Refusal {
    const refusal = refusalOf(failure);
    const proposal = failure.kind === 'not-the-service' ? proposeServiceUrl(root) : null;
    if (proposal !== null && this.#proposal?.from !== root) {
      this.#proposal = { from: root, to: proposal };
      return { message: refusal.message, step: 'proposal' };
    }
    if (!ROOT_KINDS.has(failure.kind)) return refusal;
    this.#asksServiceUrl = true;
    return { ...refusal, step: 'root' };
  }
}

function refusalOf(failure: ApiError): Refusal {
  const { title, detail, serviceQuote } = explainFailure(failure);
  const advice =
    failure.kind === 'signed-out'
      ? l10n.t('Check that you copied all of it, and that it belongs to this service URL.')
      : detail;
  return { message: `${title}.`, detail: [advice, serviceQuote].filter(Boolean).join(' ') };
}
