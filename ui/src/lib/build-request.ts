// What the dataset builder's address says, as a request.
import type { Requests } from './api-types.ts';
import { fromIso, parseDuration } from './format.ts';
import type { Route } from './route.ts';

export const kRoles = ['mv', 'cv', 'dv'] as const;
export type RoleName = (typeof kRoles)[number];

export function roleIn(query: Route['query'], tag: string): RoleName | '' {
  return kRoles.find((role) => query[role]?.includes(tag)) ?? '';
}

/** The query with `tag` in `role` and in no other. */
export function withRole(query: Route['query'], tag: string, role: string): Route['query'] {
  const out: Route['query'] = {};
  for (const name of kRoles) {
    const others = (query[name] ?? []).filter((one) => one !== tag);
    out[name] = name === role ? [...others, tag] : others;
  }
  if (role !== 'cv') out.integrating = (query.integrating ?? []).filter((one) => one !== tag);
  return out;
}

const lines = (text: string): string[] => text.split(/[\n]/).map((s) => s.trim()).filter(Boolean);
const names = (text: string): string[] => text.split(/[,\n]/).map((s) => s.trim()).filter(Boolean);

/** Fields that cannot be read are left out and named in `wrong`. */
export function buildRequest(query: Route['query']): { request: Requests['datasets.build']; wrong: string[] } {
  const one = (name: string): string => query[name]?.[0]?.trim() ?? '';
  const request: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const name of ['line', 'product', 'recipe', 'split', 'note']) if (one(name)) request[name] = one(name);
  for (const name of [...kRoles, 'integrating']) if (query[name]?.length) request[name] = query[name];
  if (one('spec')) {  // it states them
    for (const name of [...kRoles, 'integrating']) delete request[name];
    request.processSpec = one('spec');
  }
  if (one('run')) request.run = names(one('run'));
  if (one('mode') && !one('spec')) request.mode = lines(one('mode'));
  for (const name of ['history', 'horizon', 'seed']) {
    if (!one(name)) continue;
    const value = Number(one(name));
    if (Number.isInteger(value)) request[name] = value;
    else wrong.push(name);
  }
  if (one('beat')) {
    const beat = parseDuration(one('beat'));
    if (beat === undefined) wrong.push('beat');
    else request.beat = beat;
  }
  for (const name of ['from', 'to']) {
    if (!one(name)) continue;
    const at = fromIso(one(name));
    if (Number.isFinite(at)) request[name] = at;
    else wrong.push(name);
  }
  return { request: request as Requests['datasets.build'], wrong };
}
