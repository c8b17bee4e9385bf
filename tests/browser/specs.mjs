// An engineer states once what a line is, builds a dataset by it, is told how the job ended, and sees
// a model judged on that dataset.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './check.mjs';
import { dryerRuns, waitForJob } from './seed.mjs';
import { Client, newPage, password, settled, signIn } from './service.mjs';

await run('specs', async ({ service, browser, check, pictures }) => {
  const client = new Client(service.url);
  await client.claim(service.token, 'ada', password);
  await client.import({ line: 'dryer', runColumn: 'run', period: '80ms' }, dryerRuns());
  const first = await client.send('POST', '/datasets', { line: 'dryer', mv: ['voltage'], cv: ['temperature'], history: 15, horizon: 10 });
  const trained = await waitForJob(client, (await client.send('POST', '/jobs/training', { dataset: first.id, trainer: 'linear_arx@1' })).id);
  const { page, wrong } = await newPage(browser);
  if (pictures) mkdirSync(pictures, { recursive: true });
  const picture = async (name) => pictures && page.screenshot({ path: join(pictures, `${name}.png`) });
  const button = (name) => page.getByRole('button', { name, exact: true });
  await page.goto(service.url);
  await signIn(page, 'ada');
  const bell = page.getByRole('link', { name: /^Notices: / });
  await page.getByRole('link', { name: 'Notices: 1 unread' }).waitFor();
  check(true, 'the bell counts the training that has ended');

  // the spec
  await page.goto(`${service.url}/#/specs?line=dryer`);
  await page.getByRole('link', { name: 'New spec' }).click();
  await page.getByLabel('Name *').fill('dryer');
  await page.getByLabel('Role: voltage').selectOption('mv');
  await page.getByLabel('Role: temperature').selectOption('cv');
  await page.getByLabel('Acts no sooner than: voltage').fill('soon');
  check(await button('Save as a draft').isDisabled(), 'a delay that cannot be read is not sent');
  await page.getByLabel('Acts no sooner than: voltage').fill('160ms');
  await page.getByLabel('Least: voltage').fill('0');
  await page.getByLabel('Largest: voltage').fill('10');
  await page.getByLabel('Horizon F').fill('10');
  await page.getByLabel('What is known of pairs').fill('voltage->humidity gain>0');
  await button('Save as a draft').click();
  await page.getByRole('alert').waitFor();
  check(/humidity/.test(await page.getByRole('alert').textContent()), 'a prior of no variable is refused in words');
  await page.getByLabel('What is known of pairs').fill('voltage->temperature gain>0');
  await picture('spec-form');
  await button('Save as a draft').click();
  await button('Put into force').click();
  await page.getByText('In force since').waitFor();
  await picture('spec');

  // a dataset by it
  await page.getByRole('link', { name: 'Build a dataset by it' }).click();
  await page.getByText('Variables, limits and delays are those of spec dryer.').waitFor();
  await button('Build and keep it').click();
  await page.getByRole('link', { name: 'See the dataset' }).or(page.getByRole('link', { name: 'Train on it' })).first().waitFor({ timeout: 30_000 });
  await page.getByRole('link', { name: 'Notices: 2 unread' }).waitFor();
  const made = (await client.send('GET', '/datasets')).items[0];
  check((await client.send('GET', `/datasets/${made.id}`)).processSpec === 'dryer@1', 'the dataset says by which version it was built');

  // a second version, the first stays as it is
  await page.goto(`${service.url}/#/specs/dryer?line=dryer`);
  await button('New version').click();
  await page.getByLabel('Largest: voltage').fill('8');
  await button('Save as a draft').click();
  await page.getByRole('heading', { name: /version 2/i }).waitFor();
  await button('Put into force').waitFor();
  const shown = await client.send('GET', '/process-specs/dryer?line=dryer&version=1');
  check(shown.status === 'active' && shown.content.variables[0].max === 10, 'what is in force did not change');

  // notices
  await bell.click();
  await settled(page);
  check(await page.getByRole('link', { name: trained.modelId }).count() === 1, 'the notice names the model');
  await picture('notices');
  await button('Mark all as read').click();
  await page.getByRole('link', { name: 'Notices: 0 unread' }).waitFor();
  const other = new Client(service.url);
  await client.send('POST', '/users', { id: 'grace', password, right: ['view'], allLines: 'read' });
  await other.signIn('grace', password);
  check((await other.send('GET', '/notices')).items.length === 0, 'nobody else is told');

  // judged on another dataset
  await page.goto(`${service.url}/#/models/${trained.modelId}?line=dryer`);
  await page.getByRole('combobox', { name: 'Dataset' }).selectOption({ index: 1 });
  await button('Judge it').click();
  await page.getByRole('link', { name: 'Notices: 1 unread' }).waitFor({ timeout: 30_000 });
  await page.goto(`${service.url}/#/models/${trained.modelId}?line=dryer`);
  await page.getByRole('link', { name: 'Details' }).click();
  await page.getByRole('heading', { name: 'Errors' }).waitFor();
  await picture('evaluation');
  check(wrong.length === 0, `no error in the page ${wrong.join('; ')}`);
});
