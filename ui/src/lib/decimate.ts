// Many samples on few pixels without losing what matters: per bucket the first, the least, the
// largest and the last sample stay, and a gap stays a gap. Cost: one pass.

export interface Series {
  t: number[];
  v: (number | null)[];
}

/**
 * At most 5 points per bucket, oldest first. `t` ascends; null is a sample without a number (a gap).
 * Every least and largest value of a bucket is kept, and every bucket that holds a null keeps one.
 */
export function minMax(t: readonly number[], v: readonly (number | null)[], buckets: number): Series {
  const n = t.length;
  if (n <= buckets * 5 || n === 0) return { t: t.slice(), v: v.slice() };
  const from = t[0]!;
  const width = (t[n - 1]! - from) / buckets || 1;
  const out: Series = { t: [], v: [] };
  let begin = 0;
  while (begin < n) {
    const bucket = Math.floor((t[begin]! - from) / width);
    let end = begin + 1;
    while (end < n && Math.floor((t[end]! - from) / width) === bucket) end += 1;
    for (const at of kept(v, begin, end)) {
      out.t.push(t[at]!);
      out.v.push(v[at]!);
    }
    begin = end;
  }
  return out;
}

function kept(v: readonly (number | null)[], begin: number, end: number): number[] {
  let least = -1;
  let largest = -1;
  let gap = -1;
  for (let i = begin; i < end; i += 1) {
    const value = v[i];
    if (value === null || value === undefined) {
      if (gap < 0) gap = i;
      continue;
    }
    if (least < 0 || value < v[least]!) least = i;
    if (largest < 0 || value > v[largest]!) largest = i;
  }
  const places = [begin, least, largest, gap, end - 1].filter((i) => i >= 0);
  return [...new Set(places)].sort((a, b) => a - b);
}

/** Puts a null where two neighbours are further apart than `longest`: no line over what is missing. */
export function withGaps(series: Series, longest: number): Series {
  const out: Series = { t: [], v: [] };
  series.t.forEach((at, i) => {
    const before = series.t[i - 1];
    if (before !== undefined && at - before > longest) {
      out.t.push(before + 1);
      out.v.push(null);
    }
    out.t.push(at);
    out.v.push(series.v[i]!);
  });
  return out;
}

/** The median distance of neighbours. */
export function medianStep(t: readonly number[]): number {
  if (t.length < 2) return 0;
  const steps = t.slice(1).map((at, i) => at - t[i]!);
  steps.sort((a, b) => a - b);
  return steps[Math.floor(steps.length / 2)]!;
}
