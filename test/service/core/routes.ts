export type RouteName = 'chat' | 'key' | 'create' | 'secret';

export interface RouteMatch {
  route: RouteName;
  /** The decoded path parameter; empty if the route has none. */
  parameter: string;
}

/** A path that exists only with another method, or not at all. */
export type RouteMiss = { route: 'method'; allow: string } | { route: 'none' };

/** Interface: Endpoints. */
const ROUTES: readonly { route: RouteName; method: string; path: RegExp }[] = [
  { route: 'chat', method: 'POST', path: /^\/interns\/([^/]+)\/chat\/completions$/ },
  { route: 'key', method: 'GET', path: /^\/key$/ },
  { route: 'create', method: 'POST', path: /^\/interns$/ },
  { route: 'secret', method: 'PUT', path: /^\/vault\/secrets\/([^/]*)$/ },
];

/** Finds the route for a path below the API root. */
export function matchRoute(method: string, path: string): RouteMatch | RouteMiss {
  for (const candidate of ROUTES) {
    const found = candidate.path.exec(path);
    if (found === null) continue;
    const parameter = decode(found[1] ?? '');
    if (parameter === undefined) return { route: 'none' };
    if (candidate.method !== method) return { route: 'method', allow: candidate.method };
    return { route: candidate.route, parameter };
  }
  return { route: 'none' };
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
