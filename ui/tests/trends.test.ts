import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hold } from '../src/lib/history.ts';
import { levels, moveTexts, parseMoves, rounded, withMove } from '../src/lib/plan.ts';
import { bandOf, deadTimeRange, perUnit } from '../src/lib/study.ts';
import { fromBuckets, fromSamples, indexAt, readAt, type SampleRow } from '../src/lib/trend-data.ts';

const at = (s: number): string => new Date(s * 1000).toISOString().replace('.000Z', 'Z');
const sample = (s: number, value: number | null, quality = 'good'): SampleRow => ({ time: at(s), value, state: '', quality });

test('a bad sample is no number and shades up to the next good one', () => {
  const trend = fromSamples('T', 'K', false, [sample(0, 1), sample(1, 2, '0x80000000'), sample(2, 3), sample(3, 4)], 1000);
  assert.deepEqual(trend.v, [1, null, 3, 4]);
  assert.deepEqual(trend.shades, [{ from: 1e6, to: 2e6, share: 1, text: '0x80000000' }]);
  assert.deepEqual(readAt(trend, 1.5e6), { value: null, bad: true, text: '0x80000000' });
  assert.deepEqual(readAt(trend, 2.5e6), { value: 3, bad: false, text: '' });
});

test('a line is not drawn over missing samples', () => {
  const rows = [0, 1, 2, 3, 4, 60, 61].map((s) => sample(s, s));
  const trend = fromSamples('T', 'K', false, rows, 1000);
  const gap = trend.v.indexOf(null);
  assert.ok(trend.t[gap]! > 4e6 && trend.t[gap]! < 60e6);
});

test('buckets keep least and largest, and say where not all was good', () => {
  const bucket = (s: number, good = 1) => ({ from: at(s), count: 10, mean: 1, min: -5, max: 9, goodShare: good });
  const trend = fromBuckets('T', 'K', false, [bucket(0), bucket(10, 0.4), bucket(40)], 10e6);
  assert.deepEqual(trend.least, [-5, -5, null, -5]);
  assert.deepEqual(trend.largest, [9, 9, null, 9]);
  assert.equal(trend.shades.length, 1);
  assert.ok(Math.abs(trend.shades[0]!.share - 0.6) < 1e-12);
  assert.equal(trend.samples, 30);
});

test('the sample before a time', () => {
  const t = [10, 20, 30];
  assert.deepEqual([5, 10, 15, 30, 99].map((x) => indexAt(t, x)), [-1, 0, 0, 2, 2]);
});

test('a level holds until the next move', () => {
  const moves = withMove([{ step: 3, value: 5 }], { step: 1, value: 2 });
  assert.deepEqual(levels(moves, 0, 5), [0, 2, 2, 5, 5]);
  assert.deepEqual(levels([], 7, 3), [7, 7, 7]);
  assert.deepEqual(withMove(moves, { step: 1, value: 9 }), [{ step: 1, value: 9 }, { step: 3, value: 5 }]);
});

test('moves in an address, also of tags with colons', () => {
  const plan = new Map([['a:b', [{ step: 2, value: -1.5 }]], ['u', [{ step: 0, value: 3 }, { step: 4, value: 1 }]]]);
  assert.deepEqual(parseMoves(moveTexts(plan)), plan);
  assert.equal(parseMoves(['u:x:1', 'u:-1:2', '', 'u']).size, 0);
});

test('a dragged value is one that a person would type', () => {
  assert.equal(rounded(3.14159265, 10), 3.14);
  assert.equal(rounded(71234.5, 90_000), 71_200);
});

test('gaps of a history hold the value before, at its beginning the first', () => {
  assert.deepEqual(hold([null, 1, null, 2]), [1, 1, 1, 2]);
});

test('a dead time found at lag n lies between n−1 and n beats', () => {
  assert.deepEqual(deadTimeRange(3, 3, 80), [0.16, 0.24]);
  assert.deepEqual(deadTimeRange(0, 0, 100), [0, 0]);
  assert.equal(deadTimeRange(null, 2, 100), undefined);
});

test('the band of a step response has 1.96 standard errors on each side', () => {
  const band = bandOf({ input: 'u', cv: 'y', values: [0, 2], standardErrors: [0, 0.5], gain: 2, gainStdError: 0.5, settlingSteps: 1 });
  assert.deepEqual(band.low, [0, 2 - 0.98]);
  assert.deepEqual(band.high, [0, 2 + 0.98]);
  assert.equal(perUnit('m³/h', 'V'), '(m³/h)/V');
  assert.equal(perUnit('', 'V'), '1/V');
});
