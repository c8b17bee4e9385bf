import assert from 'node:assert/strict';
import { test } from 'node:test';
import { medianStep, minMax } from '../src/lib/decimate.ts';

/** A small generator, so that every run sees the same numbers. */
function* numbers(seed: number): Generator<number> {
  let state = seed;
  for (;;) {
    state = (state * 1103515245 + 12345) % 2147483648;
    yield state / 2147483648;
  }
}

function record(n: number, seed: number): { t: number[]; v: (number | null)[] } {
  const random = numbers(seed);
  const next = (): number => random.next().value as number;
  const t: number[] = [];
  const v: (number | null)[] = [];
  let at = 0;
  for (let i = 0; i < n; i += 1) {
    at += 1 + (next() < 0.01 ? 500 * next() : next());
    t.push(at);
    v.push(next() < 0.005 ? null : next() < 0.0005 ? 1e6 * next() : next());
  }
  return { t, v };
}

test('a short record stays as it is', () => {
  const r = record(500, 1);
  assert.deepEqual(minMax(r.t, r.v, 100), r);
  assert.deepEqual(minMax([], [], 100), { t: [], v: [] });
});

for (const seed of [2, 3, 4, 5]) {
  test(`no spike and no gap is hidden, seed ${seed}`, () => {
    const { t, v } = record(60_000, seed);
    const buckets = 300;
    const drawn = minMax(t, v, buckets);
    assert.ok(drawn.t.length <= 5 * (buckets + 1));
    const width = (t.at(-1)! - t[0]!) / buckets;
    const bucket = (at: number): number => Math.floor((at - t[0]!) / width);
    const facts = (s: { t: number[]; v: (number | null)[] }): Map<number, { least: number; largest: number; gap: boolean }> => {
      const out = new Map<number, { least: number; largest: number; gap: boolean }>();
      s.t.forEach((at, i) => {
        const f = out.get(bucket(at)) ?? { least: Infinity, largest: -Infinity, gap: false };
        const value = s.v[i]!;
        if (value === null) f.gap = true;
        else {
          f.least = Math.min(f.least, value);
          f.largest = Math.max(f.largest, value);
        }
        out.set(bucket(at), f);
      });
      return out;
    };
    assert.deepEqual(facts(drawn), facts({ t, v }));
  });
}

test('what is drawn is a part of the record, in its order, with both ends', () => {
  const { t, v } = record(20_000, 9);
  const drawn = minMax(t, v, 120);
  const places = drawn.t.map((at) => t.indexOf(at));
  assert.ok(places.every((p, i) => i === 0 || p > places[i - 1]!));
  places.forEach((p, i) => assert.equal(drawn.v[i], v[p]));
  assert.equal(places[0], 0);
  assert.equal(places.at(-1), t.length - 1);
});

test('the median step', () => {
  assert.equal(medianStep([0, 10, 20, 500]), 10);
  assert.equal(medianStep([5]), 0);
});
