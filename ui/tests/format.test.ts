import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, count, duration, elapsed, fromIso, number, parseDuration, percent, quantity, toIso } from '../src/lib/format.ts';

test('numbers keep four significant digits and no empty zeros', () => {
  assert.equal(number(0.04759), '0.04759');
  assert.equal(number(0.0475998), '0.0476');
  assert.equal(number(1234.56), '1235');
  assert.equal(number(100), '100');
  assert.equal(number(-2.5), '−2.5');
  assert.equal(number(0), '0');
  assert.equal(number(null), '–');
  assert.equal(number(Infinity), '–');
  assert.equal(number(1.5e-7), '1.5e−7');
  assert.equal(number(2e9), '2e9');
});

test('every number that is written reads back within its digits', () => {
  for (let e = -8; e <= 9; e += 1) {
    for (const m of [1, 1.2345, -9.9996, 3.14159]) {
      const value = m * 10 ** e;
      const back = Number(number(value, 4).replaceAll('−', '-'));
      assert.ok(Math.abs(back - value) <= 0.5e-3 * Math.abs(value) * 1.001, `${value} → ${number(value, 4)}`);
    }
  }
});

test('a quantity has its unit, a missing one has none', () => {
  assert.equal(quantity(3.2, 'bar'), '3.2\u00A0bar');
  assert.equal(quantity(null, 'bar'), '–');
  assert.equal(count(1234567), '1\u202F234\u202F567');
  assert.equal(percent(0.123), '12.3\u00A0%');
  assert.equal(bytes(1500), '1.5\u00A0kB');
});

test('durations', () => {
  assert.equal(duration(80_000), '80\u00A0ms');
  assert.equal(duration(90e6), '1.5\u00A0min');
  assert.equal(duration(-1.5e6), '−1.5\u00A0s');
  for (const text of ['80ms', '1.5s', '250us', '15min', '2h', '1d']) {
    const us = parseDuration(text)!;
    assert.equal(parseDuration(duration(us).replace('\u00A0', '')), us, text);
  }
  for (const text of ['', '5', '-3s', '0s', '1 year', 'ms']) assert.equal(parseDuration(text), undefined, text);
});

test('times keep their microseconds', () => {
  for (const us of [0, 79_920_000, 1_583_748_873_000_000, 1_583_748_873_000_001, -1_000_000]) {
    assert.equal(fromIso(toIso(us)), us);
  }
  assert.equal(fromIso('2020-03-09T10:14:33Z'), 1_583_748_873_000_000);
  assert.ok(Number.isNaN(fromIso('yesterday')));
  assert.equal(elapsed(79_920_000), '+00:01:19.920');
  assert.equal(elapsed(86_400e6 + 3_600e6), '+1\u00A0d 01:00:00');
});
