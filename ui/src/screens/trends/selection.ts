import { fromIso, toIso } from '../../lib/format.ts';
import type { Range } from '../../lib/ranges.ts';

/** "2026-03-01T08:00:00Z~2026-03-01T09:00:00Z" of an address. */
export function selectionOf(text: string): Range | undefined {
  const [from, to] = text.split('~').map(fromIso);
  if (from === undefined || to === undefined || !(from < to)) return undefined;
  return { from, to };
}

export const selectionText = (range: Range): string =>
  `${toIso(Math.round(range.from))}~${toIso(Math.round(range.to))}`;
