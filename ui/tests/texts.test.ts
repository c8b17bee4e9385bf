import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { en } from '../src/texts/en/index.ts';
import { zh } from '../src/texts/zh/index.ts';

declare const UI_ROOT: string;

test('both languages have the same keys, and no text is empty', () => {
  assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort());
  for (const [key, text] of [...Object.entries(en), ...Object.entries(zh)]) assert.ok(text.trim(), key);
});

test('no key stands in two files of a language', () => {
  for (const language of ['en', 'zh']) {
    const folder = join(UI_ROOT, 'src/texts', language);
    const keys = readdirSync(folder)
      .filter((name) => name !== 'index.ts')
      .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/^ {2}'([^']+)':/gm)].map((m) => m[1]!));
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(keys.length, Object.keys(en).length);
  }
});

test('the same values are filled in', () => {
  const values = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!).sort();
  for (const key of Object.keys(en) as (keyof typeof en)[]) assert.deepEqual(values(zh[key]), values(en[key]), key);
});

test('every key that the page names is there, and every key is named', () => {
  const sources = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? sources(join(folder, e.name)) : [join(folder, e.name)]));
  const code = sources(join(UI_ROOT, 'src')).filter((f) => !f.includes('/texts/')).map((f) => readFileSync(f, 'utf8')).join('\n');
  const groups = new Set([...code.matchAll(/word\('([A-Za-z]+)'/g)].map((m) => m[1]!));
  const unused = Object.keys(en).filter((key) => !code.includes(`'${key}'`) && !groups.has(key.split('.')[0]!));
  assert.deepEqual(unused, []);
});
