// The newest H steps of each tag of a model, from what is stored.
import { call } from './api.ts';
import { fromIso } from './format.ts';

export interface History {
  /** End of the history, µs. */
  end: number;
  /** By tag, oldest first. */
  values: Record<string, number[]>;
  units: Record<string, string>;
  /** Steps without a good sample, by tag: the value before is held there. */
  held: Record<string, number>;
}

export async function readHistory(
  line: string,
  tags: string[],
  beatUs: number,
  steps: number,
  end: number,
  signal?: AbortSignal,
): Promise<History> {
  const out: History = { end, values: {}, units: {}, held: {} };
  const from = end - beatUs * steps;
  await Promise.all(
    tags.map(async (tag) => {
      const { unit, filled, held } = await one(line, tag, beatUs, steps, from, end, signal);
      out.values[tag] = filled;
      out.units[tag] = unit;
      out.held[tag] = held;
    }),
  );
  return out;
}

async function one(line: string, tag: string, beatUs: number, steps: number, from: number, end: number, signal?: AbortSignal) {
  const place = { line, tag, from, to: end };
  const fine = await call('samples.list', { ...place, limit: Math.min(100_000, 4 * steps) }, signal);
  const cells: (number | null)[] = Array.from({ length: steps }, () => null);
  const put = (time: string, value: number | null | undefined): void => {
    const at = Math.floor((fromIso(time) - from) / beatUs);
    if (at >= 0 && at < steps && value !== null && value !== undefined) cells[at] = value;
  };
  // One sample a step: the samples themselves. More: their mean by time.
  if (fine.items.length <= 1.5 * steps) {
    for (const s of fine.items) if (s.quality === 'good') put(s.time, s.value);
  } else {
    const coarse = await call('samples.aggregate', { ...place, bucket: beatUs }, signal);
    for (const b of coarse.items) put(b.from, b.mean);
  }
  const held = cells.filter((c) => c === null).length;
  return { unit: fine.unit, filled: hold(cells), held };
}

/** Gaps take the value before them; those at the beginning the first there is. */
export function hold(cells: (number | null)[]): number[] {
  let last = cells.find((c) => c !== null) ?? NaN;
  return cells.map((c) => (last = c ?? last));
}
