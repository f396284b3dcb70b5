import { checkHosts, normaliseHost, splitHosts, type HostsProblem } from '../../api/index.ts';

/** What is wrong with hosts typed in one box, a problem for each host that is; none where all is well. */
export function hostProblems(text: string): readonly HostsProblem[] {
  const typed = splitHosts(text);
  const wrong = typed.flatMap((host): HostsProblem[] => {
    const checked = normaliseHost(host);
    return checked.ok ? [] : [{ kind: checked.error, host }];
  });
  if (wrong.length > 0) return wrong;
  const all = checkHosts(typed);
  return all.ok ? [] : [all.error];
}

/** The hosts typed in one box as the service will keep them; empty where one of them is wrong. */
export function readHosts(text: string): readonly string[] {
  const checked = checkHosts(splitHosts(text));
  return checked.ok ? checked.value : [];
}

/** Hosts as text for such a box. */
export function hostsText(hosts: readonly string[] | null): string {
  return (hosts ?? []).join(', ');
}

/** What replacing a secret does to its hosts. */
export interface HostChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export function hostChanges(
  before: readonly string[] | null,
  after: readonly string[],
): HostChanges {
  const old = before ?? [];
  return {
    added: after.filter((host) => !old.includes(host)),
    removed: old.filter((host) => !after.includes(host)),
  };
}
