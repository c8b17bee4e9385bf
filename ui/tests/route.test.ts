import assert from 'node:assert/strict';
import { test } from 'node:test';
import { address, queryText } from '../src/lib/api.ts';
import { buildRequest, roleIn, withRole } from '../src/lib/build-request.ts';
import { citedOptions, emptyDraft, requestOf } from '../src/lib/import-options.ts';
import { parseMoment, resolveRange, shifted, zoomed } from '../src/lib/ranges.ts';
import { parseRoute, routeText } from '../src/lib/route.ts';
import { visible } from '../src/lib/virtual.ts';

const kUgly = ['a b', 'T/1', 'ö&=?#%', '<img src=x onerror=alert(1)>', '温度', '..', 'a+b'];

test('an address gives back what was put in, whatever the names', () => {
  for (const name of kUgly) {
    const text = routeText(['runs', name], { line: name, tag: [name, 'x'] });
    assert.deepEqual(parseRoute(text), { path: ['runs', name], query: { line: [name], tag: [name, 'x'] } });
  }
  assert.deepEqual(parseRoute(''), { path: [], query: {} });
  assert.deepEqual(parseRoute('#/%zz').path, ['%zz']);
});

test('a parameter of a path never leaves its place', () => {
  for (const name of kUgly) {
    const { url, rest } = address('/tags/{name}', { name, line: 'L' });
    assert.equal(url.split('/').length, 3, url);
    assert.deepEqual(rest, { line: 'L' });
  }
  assert.equal(queryText({ a: ['1', '2'], b: undefined, c: '', d: 0 }), '?a=1&a=2&d=0');
});

test('times relative to the newest sample', () => {
  const newest = 1_583_748_873_000_000;
  assert.equal(parseMoment('end', newest), newest);
  assert.equal(parseMoment('-8h', newest), newest - 8 * 3_600_000_000);
  assert.equal(parseMoment('2020-03-09T10:14:33Z', 0), newest);
  assert.equal(parseMoment('soon', newest), undefined);
  const bounds = { from: 0, to: 1000 };
  assert.deepEqual(resolveRange('', '', bounds), bounds);
  assert.deepEqual(resolveRange('nonsense', 'end', bounds), bounds);
});

test('looking closer keeps the middle, going on keeps the length', () => {
  const range = { from: 1_000_000, to: 3_000_000 };
  assert.deepEqual(zoomed(range, 0.5), { from: 1_500_000, to: 2_500_000 });
  assert.deepEqual(shifted(range, 0.5), { from: 2_000_000, to: 4_000_000 });
});

test('a tag has one role', () => {
  let query = withRole({ mv: ['a'], cv: ['b'] }, 'a', 'cv');
  assert.equal(roleIn(query, 'a'), 'cv');
  assert.deepEqual(query.mv, []);
  query = withRole({ ...query, integrating: ['a'] }, 'a', '');
  assert.equal(roleIn(query, 'a'), '');
  assert.deepEqual(query.integrating, []);
});

test('the builder says what it could not read', () => {
  const { request, wrong } = buildRequest({ line: ['L'], mv: ['u'], cv: ['y'], beat: ['2s'], history: ['x'], from: ['soon'], run: ['a, b'] });
  assert.deepEqual(request, { line: 'L', mv: ['u'], cv: ['y'], beat: 2_000_000, run: ['a', 'b'] });
  assert.deepEqual(wrong, ['history', 'from']);
});

test('what was left empty in the wizard is not in the request', () => {
  assert.deepEqual(requestOf({ ...emptyDraft('L'), badValue: '-9999, T=-1', columns: 'a,b', period: '80ms' }), {
    line: 'L', badValue: ['-9999', 'T=-1'], columns: ['a,b'], period: '80ms',
  });
  assert.deepEqual(citedOptions('say which with --time-zone (such as --time-zone UTC), or give --period'), ['timeZone', 'timeZone', 'period']);
});

test('only rows in the window exist, and all of them', () => {
  for (const top of [0, 1, 29, 300_000, 339_999]) {
    const { first, last } = visible(10_000, 34, top, 500);
    assert.ok(first * 34 <= top && last * 34 >= Math.min(top + 500, 340_000));
    assert.ok(last - first < 40);
  }
  assert.deepEqual(visible(0, 34, 0, 500), { first: 0, last: 0 });
});
