import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generate } from '../scripts/api-types.mjs';

declare const UI_ROOT: string;

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((e) =>
    e.isDirectory() ? sources(join(folder, e.name)) : [join(folder, e.name)],
  );
const files = sources(join(UI_ROOT, 'src')).map((path) => ({ path, text: readFileSync(path, 'utf8') }));

test('the types are those of the OpenAPI document', (context) => {
  const document = join(UI_ROOT, '../docs/reference/openapi.json');
  if (!existsSync(document)) return context.skip('there is no docs/reference/openapi.json');
  const now = readFileSync(join(UI_ROOT, 'src/lib/api-types.ts'), 'utf8');
  assert.ok(now === generate(JSON.parse(readFileSync(document, 'utf8'))), 'npm run types');
});

test('no text becomes markup, no style stands in an attribute', () => {
  for (const { path, text } of files) {
    for (const forbidden of ['innerHTML', 'outerHTML', '{@html', 'insertAdjacentHTML', 'document.write', ' style="', 'eval(']) {
      assert.ok(!text.includes(forbidden), `${path}: ${forbidden}`);
    }
  }
});

test('files are short', () => {
  for (const { path, text } of files) {
    if (path.endsWith('api-types.ts')) continue;
    assert.ok(text.split('\n').length <= 250, path);
  }
});
