import { variablesFor, type Variables } from '../variables.ts';

export interface ProxySetting {
  readonly url: string;
  /** Hosts that are reached without it, separated by commas. */
  readonly bypass: string;
}

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY'];
/** Variables of proxies and certificates. */
const CONNECTION = [...PROXIES, 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** Returns the variables of a keeper's process. None of them holds a key. */
export function keeperEnvironment(
  own: Variables,
  proxy: ProxySetting | undefined,
): Record<string, string> {
  const environment = variablesFor(own, CONNECTION);
  const allowed = Object.entries(environment);
  const isSet = (name: string) =>
    allowed.some(([each, value]) => each.toUpperCase() === name && value !== '');
  if (proxy !== undefined && !PROXIES.some(isSet)) {
    for (const name of PROXIES) environment[name] = proxy.url;
    if (!isSet('NO_PROXY') && proxy.bypass !== '') environment['NO_PROXY'] = proxy.bypass;
  }
  const hasProxy = proxy !== undefined || PROXIES.some(isSet);
  return {
    ...environment,
    ELECTRON_RUN_AS_NODE: '1',
    NODE_USE_SYSTEM_CA: '1',
    ...(hasProxy && { NODE_USE_ENV_PROXY: '1' }),
  };
}
