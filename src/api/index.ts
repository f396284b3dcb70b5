export {
  parseServiceUrl,
  proposeServiceUrl,
  serviceUrlHost,
  type ServiceUrl,
  type ServiceUrlProblem,
} from './serviceUrl.ts';
export { createServiceClient, type ServiceClient, type ServiceClientConfig } from './client.ts';
export * from './errors.ts';
export { checkIdempotencyHeader, type HeaderNameProblem } from './headerName.ts';
export * from './hosts.ts';
export { parseKey, type KeyProblem } from './key.ts';
export * from './limits.ts';
export * from './names.ts';
export { MACHINE_SLEPT, NEVER_SENT, readNetworkFailure, wasNeverSent } from './networkErrors.ts';
export { PROVIDE_INPUT, readQuestion } from './question.ts';
export { MAX_RETRY_AFTER_MS, retryDelayMs } from './retry.ts';
export { createRedactor } from './redact.ts';
export { createBody, submittedValues, type InternDraft } from './requests.ts';
export { isSecretField } from './secretField.ts';
export { DETACHED, globalFetch, RESPONSE_STOPPED } from './transport.ts';
export type * from './transport.ts';
export * from './types.ts';
export { SILENCE_LIMIT_MS } from './watchdog.ts';
