// The address holds the whole view: "#/trends?line=rig&tag=T1&tag=T2&from=-1h".
export interface Route {
  path: string[];
  query: Record<string, string[]>;
}

export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#/, '');
  const [place = '', search = ''] = text.split('?', 2) as [string?, string?];
  const path = place.split('/').filter(Boolean).map(decode);
  const query: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(search)) (query[name] ??= []).push(value);
  return { path, query };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export type QueryValues = Record<string, string | number | string[] | undefined | null>;

export function routeText(path: string[], query: QueryValues = {}): string {
  const out = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) out.append(name, String(one));
  }
  const search = out.toString();
  return `#/${path.map(encodeURIComponent).join('/')}${search ? `?${search}` : ''}`;
}
