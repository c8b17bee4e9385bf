// Times in an address: absolute (RFC 3339) or relative to the newest sample: "-24h", "end".
import { fromIso, parseDuration, toIso } from './format.ts';

export interface Range {
  from: number;
  to: number;
}

/** Microseconds of a text; `newest` is what relative times count from. undefined: not readable. */
export function parseMoment(text: string, newest: number): number | undefined {
  const word = text.trim();
  if (word === 'end' || word === 'now') return newest;
  if (word.startsWith('-')) {
    const back = parseDuration(word.slice(1));
    return back === undefined ? undefined : newest - back;
  }
  const at = fromIso(word.includes('T') ? word : word.replace(' ', 'T'));
  return Number.isFinite(at) ? at : undefined;
}

/** The range of an address, clipped to what there is when it does not say. */
export function resolveRange(from: string, to: string, bounds: Range): Range {
  const end = parseMoment(to || 'end', bounds.to) ?? bounds.to;
  const begin = (from ? parseMoment(from, bounds.to) : undefined) ?? bounds.from;
  return begin < end ? { from: begin, to: end } : { ...bounds };
}

/** `factor` below 1 looks closer; the middle stays. */
export function zoomed(range: Range, factor: number): Range {
  const middle = (range.from + range.to) / 2;
  const half = ((range.to - range.from) * factor) / 2;
  return { from: Math.round(middle - half), to: Math.round(middle + Math.max(half, 500)) };
}

export function shifted(range: Range, share: number): Range {
  const by = Math.round((range.to - range.from) * share);
  return { from: range.from + by, to: range.to + by };
}

export const rangeText = (range: Range): { from: string; to: string } => ({
  from: toIso(Math.round(range.from)),
  to: toIso(Math.round(range.to)),
});
