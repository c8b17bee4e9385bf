// docs/reference/openapi.json → src/lib/api-types.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { generate } from './api-types.mjs';

const source = new URL('../../docs/reference/openapi.json', import.meta.url);
const target = new URL('../src/lib/api-types.ts', import.meta.url);
writeFileSync(target, generate(JSON.parse(readFileSync(source, 'utf8'))));
