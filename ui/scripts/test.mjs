// Tests of pure functions: each tests/*.test.ts is bundled and run by node's test runner.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = readdirSync(join(root, 'tests')).filter((name) => name.endsWith('.test.ts'));
const out = mkdtempSync(join(tmpdir(), 'flyball-ui-'));
await build({
  entryPoints: files.map((name) => join(root, 'tests', name)),
  outdir: out,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  define: { UI_ROOT: JSON.stringify(root) },
  external: ['node:*'],
});
const run = spawnSync(process.execPath, ['--test', out], { stdio: 'inherit' });
rmSync(out, { recursive: true });
process.exit(run.status ?? 1);
