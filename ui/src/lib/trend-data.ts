// What a lane of the trends draws, from stored samples or, where there are too many, from buckets.
import { fromIso } from './format.ts';
import { medianStep, minMax } from './decimate.ts';

export interface Shade {
  from: number;
  to: number;
  /** 0..1: how much of it is not good. */
  share: number;
  text: string;
}

/** Times in µs. `v` is the line; least and largest are there for buckets only. */
export interface Trend {
  tag: string;
  unit: string;
  stepped: boolean;
  t: number[];
  v: (number | null)[];
  least?: (number | null)[];
  largest?: (number | null)[];
  shades: Shade[];
  samples: number;
  /** Length of a bucket, µs; absent: every sample was read. */
  bucket?: number;
}

export interface SampleRow {
  time: string;
  value: number | null;
  state: string;
  quality: string;
}

/** Neighbours further apart than this many median steps have a gap between them. */
const kGapSteps = 5;

export function fromSamples(tag: string, unit: string, stepped: boolean, rows: SampleRow[], pixels: number): Trend {
  const t = rows.map((r) => fromIso(r.time));
  const v = rows.map((r) => (r.quality === 'good' ? r.value : null));
  const longest = kGapSteps * medianStep(t);
  const shades = shadesOf(rows, t);
  const full: { t: number[]; v: (number | null)[] } = { t: [], v: [] };
  t.forEach((at, i) => {
    const before = t[i - 1];
    if (before !== undefined && longest > 0 && at - before > longest) {
      full.t.push(before + 1);
      full.v.push(null);
    }
    full.t.push(at);
    full.v.push(v[i]!);
  });
  const drawn = minMax(full.t, full.v, pixels);
  return { tag, unit, stepped, t: drawn.t, v: drawn.v, shades, samples: rows.length };
}

/** Stretches of samples that are not good, each up to the next good one. */
function shadesOf(rows: SampleRow[], t: number[]): Shade[] {
  const out: Shade[] = [];
  let begin = -1;
  for (let i = 0; i <= rows.length; i += 1) {
    const bad = i < rows.length && rows[i]!.quality !== 'good';
    if (bad && begin < 0) begin = i;
    if (!bad && begin >= 0) {
      out.push({ from: t[begin]!, to: t[i] ?? t[i - 1]!, share: 1, text: rows[begin]!.quality });
      begin = -1;
    }
  }
  return out;
}

export interface BucketRow {
  from: string;
  count: number;
  mean: number | null;
  min: number | null;
  max: number | null;
  goodShare: number;
}

export function fromBuckets(tag: string, unit: string, stepped: boolean, rows: BucketRow[], bucket: number): Trend {
  const out: Trend = {
    tag, unit, stepped, t: [], v: [], least: [], largest: [], shades: [], samples: 0, bucket,
  };
  const push = (at: number, mean: number | null, min: number | null, max: number | null): void => {
    out.t.push(at);
    out.v.push(mean);
    out.least!.push(min);
    out.largest!.push(max);
  };
  let before: number | undefined;
  for (const row of rows) {
    const from = fromIso(row.from);
    if (before !== undefined && from - before > 1.5 * bucket) push(before + bucket, null, null, null);
    push(from + bucket / 2, row.mean, row.min, row.max);
    if (row.goodShare < 1 - 1e-6) {
      out.shades.push({ from, to: from + bucket, share: 1 - row.goodShare, text: '' });
    }
    out.samples += row.count;
    before = from;
  }
  return out;
}

/** Index of the newest time that is not after `at`; -1 before the first. */
export function indexAt(t: readonly number[], at: number): number {
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What is known of a tag at a time: its value, and whether it may be believed. */
export function readAt(trend: Trend, at: number): { value: number | null; bad: boolean; text: string } {
  const i = indexAt(trend.t, at + (trend.bucket ?? 0) / 2);
  const shade = trend.shades.find((s) => s.from <= at && at < s.to);
  return { value: i < 0 ? null : trend.v[i]!, bad: shade !== undefined, text: shade?.text ?? '' };
}
