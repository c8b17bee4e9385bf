// An operator at the page: asks, reads the card, accepts, says that it was carried out; the service
// solves in a process of its own.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './check.mjs';
import { waitForJob } from './seed.mjs';
import { Client, newPage, password, settled, signIn } from './service.mjs';

/** Six runs of a test signal and a seventh, at rest until now; steps of ten minutes. */
function record() {
  const beat = 600_000;
  const rows = 500;
  const live = 150;
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  let at = Math.floor(Date.now() / beat) * beat - beat - (6 * (rows + 6) + live - 1) * beat;
  const lines = ['time,run,reflux,top'];
  for (let r = 1; r <= 7; r += 1) {
    let [y, u, before] = [0, 0, 0];
    for (let i = 0; i < (r === 7 ? live : rows); i += 1) {
      if (r < 7 && random() < 0.07) u = random() < 0.5 ? -1 : 1;
      lines.push(`${new Date(at).toISOString()},B${r},${10 + u},${(100 + y + 0.06 * (random() - 0.5)).toFixed(5)}`);
      [y, before] = [0.85 * y + 0.3 * before, u];
      at += beat;
    }
    at += 6 * beat;
  }
  return lines.join('\n');
}

await run('advice', async ({ service, browser, check, pictures }) => {
  const client = new Client(service.url);
  await client.claim(service.token, 'ada', password);
  const where = { line: 'L', product: 'P', recipe: 'R' };
  await client.import({ ...where, runColumn: 'run', evidence: 'real', confirmContext: 'true' }, record());
  const dataset = await client.send('POST', '/datasets', { ...where, mv: ['reflux'], cv: ['top'], history: 15, horizon: 40 });
  const job = await client.send('POST', '/jobs/training', { dataset: dataset.id, trainer: 'linear_arx@1' });
  const { modelId } = await waitForJob(client, job.id);
  check(Boolean(modelId), 'a model passes its gates');
  await client.send('POST', `/models/${modelId}/stage`, { to: 'shadow', reason: 'a test' });
  const profile = await client.send('POST', '/optimizer/profiles', { profile: {
    name: 'top', modelId, horizon: 40, controlHorizon: 5, freshnessBeats: 5,
    mv: [{ varId: 'reflux', min: 8.5, max: 11.5, maxMove: 0.5 }], cv: [{ varId: 'top', ref: 101, hardMax: 104 }],
  } });
  await client.send('POST', `/optimizer/profiles/${profile.id}/activate`, {});
  const binding = await client.send('POST', '/optimizer/bindings', { profile: profile.id });

  const { page, wrong } = await newPage(browser);
  await page.goto(service.url);
  await signIn(page, 'ada');
  await page.goto(`${service.url}/#/advice?line=L`);
  await settled(page);
  check(await page.getByText('Nobody has asked yet.').count() === 1, 'nothing is shown before somebody asks');
  await page.getByRole('button', { name: 'Ask now' }).click();
  await page.getByText(/reflux: 10/).first().waitFor();
  check(await page.getByText(/Valid until/).count() === 1, 'the card says until when it holds');
  check(await page.getByText(/valid for/).count() === 1, 'and counts down');
  await page.getByText('Evidence').click();
  check(await page.getByRole('cell', { name: /\.\./ }).count() === 1, 'the effect has an interval');
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, 'advice-card.png'), fullPage: true });
  }
  const stats = await client.send('GET', '/optimizer/capabilities');
  check(stats.workers.ready === 1 && !stats.workers.degraded, 'a process of its own solved, and waits');
  await page.getByLabel('Reason').fill('as discussed');
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('button', { name: 'It was carried out' }).click();
  await page.getByRole('button', { name: 'What did it do?' }).waitFor();
  const list = await client.send('GET', `/optimizer/recommendations?binding=${binding.id}`);
  check(list.items[0].status === 'applied', 'the ledger has what the person did');
  check(list.items[0].reason === 'as discussed' && list.items[0].decidedBy === 'ada', 'who and why');
  await page.getByRole('button', { name: 'What did it do?' }).click();
  await page.getByRole('alert').waitFor();
  check(/settle window/.test(await page.getByRole('alert').textContent()), 'an outcome before its time is refused in words');
  check(wrong.length === 0, `no error ${wrong.join(' ')}`);
});
