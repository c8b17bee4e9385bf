// An operator at the page: asks, reads the card, accepts, says that it was carried out; the service
// solves in a process of its own.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './check.mjs';
import { liveColumn, waitForJob } from './seed.mjs';
import { Client, newPage, password, settled, signIn } from './service.mjs';

await run('advice', async ({ service, browser, check, pictures }) => {
  const client = new Client(service.url);
  await client.claim(service.token, 'ada', password);
  const where = { line: 'L', product: 'P', recipe: 'R' };
  await client.import({ ...where, runColumn: 'run', evidence: 'real', confirmContext: 'true' }, liveColumn());
  const dataset = await client.send('POST', '/datasets', { ...where, mv: ['reflux'], cv: ['purity'], history: 15, horizon: 40 });
  const job = await client.send('POST', '/jobs/training', { dataset: dataset.id, trainer: 'linear_arx@1' });
  const { modelId } = await waitForJob(client, job.id);
  check(Boolean(modelId), 'a model passes its gates');
  await client.send('POST', `/models/${modelId}/stage`, { to: 'shadow', reason: 'a test' });
  const profile = await client.send('POST', '/optimizer/profiles', { profile: {
    name: 'top', modelId, horizon: 40, controlHorizon: 5, freshnessBeats: 5,
    mv: [{ varId: 'reflux', min: 8.5, max: 11.5, maxMove: 0.5 }], cv: [{ varId: 'purity', ref: 101, hardMax: 104 }],
  } });
  await client.send('POST', `/optimizer/profiles/${profile.id}/activate`, {});
  const binding = await client.send('POST', '/optimizer/bindings', { profile: profile.id });

  const { page, wrong } = await newPage(browser);
  await page.goto(service.url);
  await signIn(page, 'ada');
  await page.goto(`${service.url}/#/advice?line=L`);
  await settled(page);
  check(await page.getByText('What was advised').count() === 0, 'nothing is shown before somebody asks');
  await page.getByRole('button', { name: 'Ask for advice' }).click();
  await page.getByText(/reflux: 10/).first().waitFor();
  check(/Valid until .* left/.test(await page.getByRole('timer').textContent()), 'the card says until when it holds, and counts down');
  await page.getByText('Evidence').click();
  check(await page.getByRole('cell', { name: /…/ }).count() === 1, 'the effect has an interval');
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, 'advice-card.png'), fullPage: true });
  }
  const stats = await client.send('GET', '/optimizer/capabilities');
  check(stats.workers.ready === 1 && !stats.workers.degraded, 'a process of its own solved, and waits');
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('dialog').getByLabel('Why').fill('as discussed');
  await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('button', { name: 'It was carried out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'It was carried out' }).click();
  await page.getByRole('button', { name: 'Judge the outcome' }).waitFor();
  const list = await client.send('GET', `/optimizer/recommendations?binding=${binding.id}`);
  check(list.items[0].status === 'applied', 'the ledger has what the person did');
  check(list.items[0].reason === 'as discussed' && list.items[0].decidedBy === 'ada', 'who and why');
  await page.goto(`${service.url}/#/advice/${list.items[0].id}?line=L`);
  const lever = page.locator('[data-lever="purity.ref"]');
  await lever.waitFor();
  await lever.evaluate((e) => { e.value = String(Number(e.value) + 0.2); e.dispatchEvent(new Event('input', { bubbles: true })); });
  await page.locator('[data-took]').waitFor();
  await settled(page);
  check(await page.getByText('This would be advised.').count() === 1, 'what if: the question is answered again');
  check((await client.send('GET', '/optimizer/runs')).items.length === 1, 'and nothing of it is kept');
  if (pictures) await page.screenshot({ path: join(pictures, 'advice-what-if.png'), fullPage: true });
  await page.getByRole('button', { name: 'As it was asked' }).click();
  check(await page.locator('[data-took]').count() === 0, 'and back again');
  await page.getByRole('button', { name: 'Judge the outcome' }).click();
  await page.getByRole('alert').waitFor();
  check(/settle window/.test(await page.getByRole('alert').textContent()), 'an outcome before its time is refused in words');
  check(wrong.length === 0, `no error ${wrong.join(' ')}`);
});
