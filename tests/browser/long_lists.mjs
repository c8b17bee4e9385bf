// 10 000 runs and 2 000 tags: no pause over 100 ms in the page while they are shown and scrolled.
import { run } from './check.mjs';
import { Client, newPage, password, settled, signIn } from './service.mjs';

const kRuns = 10_000;
const kTags = 2_000;
const kPause = 100;

function plantFile() {
  const start = Date.UTC(2020, 0, 1);
  const at = (i, add) => new Date(start + i * 3_600_000 + add).toISOString();
  return {
    schemaVersion: 1,
    line: { id: 'big', description: '' },
    tags: Array.from({ length: kTags }, (_, i) => ({ name: `T${i}`, unit: 'K' })),
    products: [{ id: 'p', description: '' }],
    recipes: [{ id: 'r', productId: 'p', description: '', params: [] }],
    runs: Array.from({ length: kRuns }, (_, i) => ({ id: `batch-${i}`, productId: 'p', recipeId: 'r', startedAt: at(i, 0), endedAt: at(i, 3_000_000) })),
  };
}

await run('long_lists', async ({ service, browser, check }) => {
  const client = new Client(service.url);
  await client.claim(service.token, 'ada', password);
  await client.send('POST', '/plants', { file: plantFile() });
  const { page, wrong } = await newPage(browser);
  await page.addInitScript(() => {
    globalThis.pauses = [];
    new PerformanceObserver((list) => globalThis.pauses.push(...list.getEntries().map((e) => e.duration))).observe({ type: 'longtask' });
  });
  await page.goto(service.url);
  await signIn(page, 'ada');

  // Others use the processor too: of three tries the best is the page's own.
  const pauses = async (what, work) => {
    let best = Infinity;
    for (let i = 0; i < 3 && best > kPause; i += 1) {
      await page.goto(`${service.url}/#/settings`);
      await page.evaluate(() => (globalThis.pauses.length = 0));
      await work();
      await page.waitForTimeout(300);
      best = Math.min(best, Math.max(0, ...(await page.evaluate(() => globalThis.pauses))));
    }
    check(best <= kPause, `${what}: longest pause ${Math.round(best)} ms`);
  };
  const scroll = (selector) => page.evaluate(async (where) => {
    const list = document.querySelector(where);
    for (let i = 0; i <= 60; i += 1) {
      list.scrollTop = (list.scrollHeight * i) / 60;
      await new Promise(requestAnimationFrame);
    }
  }, selector);

  const runs = async () => {
    await page.goto(`${service.url}/#/runs?line=big`);
    await page.getByText(/^10.000 runs$/).waitFor({ timeout: 60_000 });
    await settled(page);
  };
  await pauses('runs are read and shown', runs);
  check(await page.getByRole('row').count() < 60, 'only rows in the window exist');
  await pauses('runs are scrolled', async () => {
    await runs();
    await scroll('[role=rowgroup]');
    await page.getByRole('link', { name: 'batch-9999', exact: true }).waitFor();
  });
  await pauses('runs are filtered', async () => {
    await runs();
    await page.getByLabel('Filter by name').fill('batch-77');
    await page.getByText(/^111 runs$/).waitFor();
  });
  await pauses('tags are shown and scrolled', async () => {
    await page.goto(`${service.url}/#/trends?line=big`);
    await page.getByLabel('Search 2000 tags').waitFor();
    await scroll('section .list');
  });
  await pauses('roles of all tags are shown and scrolled', async () => {
    await page.goto(`${service.url}/#/build?line=big`);
    await page.getByRole('table').first().waitFor();
    await scroll('[role=rowgroup]');
  });
  await pauses('a process-model spec is written', async () => {
    await page.goto(`${service.url}/#/specs/new?line=big`);
    await page.getByLabel('Role: T0', { exact: true }).selectOption('mv');
    await page.getByLabel('Role: T1', { exact: true }).selectOption('cv');
    await page.getByLabel('Set-point of its loop: T0').fill('T19');
    await scroll('[role=rowgroup]');
  });
  check(wrong.length === 0, `no error in the page ${wrong.join('; ')}`);
});
