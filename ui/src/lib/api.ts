// The one way to the service: every call goes by the name of an operation.
import { operations, type Answers, type Operation, type Requests } from './api-types.ts';
import { problemOf, Refusal } from './problem.ts';

type Values = Record<string, unknown>;

/** Set by the session: the token that every change brings along, and what to do when it is over. */
export const credentials = { csrf: '', over: () => {} };

/** ETags of what was read, by address: a change says which version it changes. */
const versions = new Map<string, string>();

export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

export function queryText(values: Values): string {
  const out = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) out.append(name, String(one));
  }
  const text = out.toString();
  return text ? `?${text}` : '';
}

/** Path of an operation with its parameters put in, and the values that are left. */
export function address(path: string, values: Values): { url: string; rest: Values } {
  const rest = { ...values };
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name];
    return encodeURIComponent(String(values[name] ?? ''));
  });
  return { url, rest };
}

export async function send(method: string, url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('Accept', 'application/json, application/problem+json');
  if (method !== 'GET' && credentials.csrf) headers.set('X-CSRF-Token', credentials.csrf);
  const response = await fetch(`/api/v1${url}`, { ...init, method, headers, credentials: 'same-origin' });
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  const problem = problemOf(response.status, body);
  if (response.status === 401 && !url.startsWith('/session')) credentials.over();
  throw new Refusal(problem);
}

export const json = (body: unknown): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
});

async function read(url: string, signal?: AbortSignal): Promise<unknown> {
  const response = await send('GET', url, { signal });
  const version = response.headers.get('ETag');
  if (version) versions.set(url, version);
  return response.json();
}

/** The version that a change is made to: the one that was shown, else the one there is now. */
async function version(path: string, values: Values): Promise<string | undefined> {
  const sibling = Object.values(operations).find(([m, p]) => m === 'GET' && p === path);
  if (!sibling) return undefined;
  const { url, rest } = address(path, values);
  const asked = url + queryText({ line: rest.line, product: rest.product });
  if (!versions.has(asked)) await read(asked);
  const found = versions.get(asked);
  versions.delete(asked);
  return found;
}

export async function call<N extends Operation>(
  name: N,
  values: Requests[N],
  signal?: AbortSignal,
): Promise<Answers[N]> {
  const [method, path] = operations[name] as readonly [string, string, string];
  const { url, rest } = address(path, values as Values);
  if (method === 'GET') return (await read(url + queryText(rest), signal)) as Answers[N];
  if (method === 'DELETE' || method === 'PATCH') {
    const match = await version(path, values as Values);
    const init: RequestInit = method === 'PATCH' ? json(rest) : {};
    const headers = new Headers(init.headers);
    if (match) headers.set('If-Match', match);
    const place = method === 'DELETE' ? url + queryText(rest) : url;
    return (await (await send(method, place, { ...init, headers, signal })).json()) as Answers[N];
  }
  const init = json(rest);
  const headers = new Headers(init.headers);
  headers.set('Idempotency-Key', randomKey());
  const response = await send('POST', url, { ...init, headers, signal });
  return (await response.json()) as Answers[N];
}

/** An operation whose input is a file: its bytes are the body, everything else stands in the query. */
export async function upload<N extends Operation>(
  name: N,
  values: Omit<Requests[N], 'file'>,
  file: File,
  signal?: AbortSignal,
): Promise<Answers[N]> {
  const [, path] = operations[name] as readonly [string, string, string];
  const { url, rest } = address(path, values as Values);
  const response = await send('POST', url + queryText(rest), {
    body: file,
    signal,
    headers: {
      'Content-Type': 'application/octet-stream',
      'X-File-Name': encodeURIComponent(file.name).slice(0, 200),
      'Idempotency-Key': randomKey(),
    },
  });
  return (await response.json()) as Answers[N];
}

/** All pages of a list, up to `most` records. */
export async function all<T>(
  page: (cursor: string | undefined) => Promise<{ items: unknown[]; nextCursor?: string }>,
  most = 20_000,
): Promise<T[]> {
  const out: T[] = [];
  let cursor: string | undefined;
  do {
    const answer = await page(cursor);
    out.push(...(answer.items as T[]));
    cursor = answer.nextCursor;
  } while (cursor !== undefined && out.length < most);
  return out;
}
