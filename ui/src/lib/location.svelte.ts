import { parseRoute, routeText, type QueryValues, type Route } from './route.ts';

class Location {
  route = $state.raw<Route>(parseRoute(globalThis.location?.hash ?? ''));

  constructor() {
    globalThis.addEventListener?.('hashchange', () => {
      this.route = parseRoute(location.hash);
    });
  }

  // Derived: who reads one of these is not disturbed by the rest of the address.
  screen = $derived(this.route.path[0] ?? '');
  /** Second part of the path: the id of what is shown. */
  id = $derived(this.route.path[1] ?? '');
  line = $derived(this.route.query.line?.[0] ?? '');
  value(name: string): string {
    return this.route.query[name]?.[0] ?? '';
  }
  values(name: string): string[] {
    return this.route.query[name] ?? [];
  }
}

export const here = new Location();

export function go(path: string[], query: QueryValues = {}): void {
  location.hash = routeText(path, query);
}

/** Instead of the address there is: no new entry in the browser's history. */
export function replace(path: string[], query: QueryValues = {}): void {
  const text = routeText(path, query);
  history.replaceState(null, '', text);
  here.route = parseRoute(text);
}

/** Changes a part of the view. */
export function setQuery(change: QueryValues): void {
  replace(here.route.path, { ...here.route.query, ...change });
}
