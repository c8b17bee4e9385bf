// Runs the parts of a test one after another and says which failed. Exit 77: cannot run here.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, startBrowser, startService } from './service.mjs';

export async function run(name, body) {
  const program = process.argv[2];
  if (!program || !existsSync(program)) {
    console.error(`usage: node ${name}.mjs PROGRAM [FOLDER-FOR-PICTURES]`);
    process.exit(2);
  }
  if (!existsSync(join(root, 'ui/node_modules/playwright-core'))) {
    console.log('playwright-core is not installed: npm ci --ignore-scripts in ui/');
    process.exit(77);
  }
  const service = await startService(program);
  const browser = await startBrowser();
  const failures = [];
  const check = (good, what) => {
    console.log(`${good ? 'ok  ' : 'FAIL'} ${what}`);
    if (!good) failures.push(what);
  };
  try {
    await body({ service, browser, check, pictures: process.argv[3] });
  } catch (error) {
    check(false, error.stack ?? String(error));
  } finally {
    await browser.close();
    await service.stop();
  }
  if (failures.length > 0) {
    console.error(`${name}: ${failures.length} failed`);
    process.exit(1);
  }
}
