// A newcomer's first hour, by the page alone: first start, a file, trends, a dataset that is too
// small, why it was refused, a larger one, a model, its step responses, a prediction.
import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { run } from './check.mjs';
import { atRest, newPage, password, root, settled, signIn } from './service.mjs';

await run('journey', async ({ service, browser, check, pictures }) => {
  const { page, wrong } = await newPage(browser);
  if (pictures) mkdirSync(pictures, { recursive: true });
  const picture = async (name) => pictures && page.screenshot({ path: join(pictures, `${name}.png`) });
  const button = (name) => page.getByRole('button', { name, exact: true });
  const menu = (name) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  const field = (name) => page.getByLabel(name, { exact: true });

  // first start
  await page.goto(`${service.url}/#setup=${service.token}`);
  check((await field('Setup token *').inputValue()) === service.token, 'the link brings the token along');
  await field('User name *').fill('ada');
  await field('Name to show').fill('Ada');
  await field('Password *').fill('short');
  await field('Password, once more *').fill('short');
  await button('Make the first account').click();
  await page.getByRole('alert').waitFor();
  check(/12/.test(await page.getByRole('alert').textContent()), 'a short password is refused, and the rule is said');
  await field('Password *').fill(password);
  await field('Password, once more *').fill(password);
  await button('Make the first account').click();
  await page.getByRole('navigation').waitFor();
  check(!page.url().includes(service.token), 'the token does not stay in the address');

  // a file
  await page.getByText('No line is known yet.').waitFor();
  await menu('Import');
  await field('Line').nth(1).fill('dryer');
  await page.locator('input[type=file]').setInputFiles(join(root, 'examples/data/hair_dryer.dat'));
  await page.getByRole('alert').waitFor();
  check(/--columns|--period/.test(await page.getByRole('alert').textContent()), 'what is ambiguous is asked');
  await page.locator('summary', { hasText: 'Cells' }).click();
  await field('Names of all columns').fill('voltage,temperature');
  await field('Period, when no column is the time').fill('80ms');
  await button('Look again (stores nothing)').click();
  await page.getByText('What was found, and why').waitFor();
  await picture('import');
  check(/1.000 rows in = 1.000 stored \+ 0 rejected \+ 0 merged/.test((await page.locator('main').textContent()).replace(/\s+/g, ' ')), 'the account adds up');
  await button('Store it').click();
  await page.getByText('hair_dryer.dat is stored').waitFor();

  // trends
  await page.getByRole('link', { name: 'See it in trends' }).click();
  await page.getByRole('checkbox', { name: 'temperature' }).check();
  await page.getByRole('checkbox', { name: 'voltage' }).check();
  await page.locator('.u-over').nth(1).waitFor();
  await settled(page);
  check((await page.getByText('1 000 samples, each drawn').count()) === 2, 'every sample is drawn');
  const select = async (from, to) => {
    const box = await atRest(page.locator('.u-over').first());
    await page.mouse.move(box.x + box.width * from + 5, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * to, box.y + 45, { steps: 5 });
    await page.mouse.up();
    await page.getByRole('group', { name: 'Selection' }).waitFor();
  };
  // a bad stretch
  await select(0.55, 0.59);
  await button('Mark it').click();
  await page.getByLabel('Tag', { exact: true }).selectOption('temperature');
  await field('Why').fill('the probe was out');
  await picture('mark');
  await button('Mark').click();
  await page.getByRole('region', { name: 'Marked by people' }).getByText('the probe was out').waitFor();
  check((await page.getByRole('button', { name: /Take back: bad/ }).count()) === 1, 'a mark can be taken back');
  await button('Clear').click();

  await select(0, 0.375);
  check(/sel=/.test(page.url()) && /tag=temperature/.test(page.url()), 'the address holds tags and selection');
  await picture('trends');

  // a dataset of that stretch: too small
  await button('Build a dataset from it').click();
  await page.getByLabel('Role: voltage').selectOption('mv');
  await page.getByLabel('Role: temperature').selectOption('cv');
  await field('Horizon F').fill('10');
  await button('Try it (stores nothing)').click();
  await page.getByText('What it would be').waitFor();
  await button('Build and keep it').click();
  await page.getByRole('link', { name: 'Train on it' }).or(page.getByRole('link', { name: 'See the dataset' })).first().waitFor({ timeout: 30_000 });
  const seeDataset = page.getByRole('link', { name: 'See the dataset' });
  if (await seeDataset.count()) await seeDataset.click();
  await page.getByRole('link', { name: 'Train on it' }).click();
  await field('Trainer').selectOption('linear_arx@1');
  await button('Train').click();
  await page.getByText('Gates that refused').waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'See the experiment' }).click();
  await settled(page);
  const verdict = await page.locator('main').textContent();
  check(/refused/.test(verdict) && /at least 500/.test(verdict), 'the page says which gate refused and what it needs');
  check(/What to do next/.test(verdict), 'the page says what to do next');
  await picture('refused');

  // the fix: all that was recorded
  await menu('Build a dataset');
  await page.getByLabel('Role: voltage').selectOption('mv');
  await page.getByLabel('Role: temperature').selectOption('cv');
  await field('Horizon F').fill('10');
  await button('Build and keep it').click();
  await page.getByRole('link', { name: 'Train on it' }).or(seeDataset).first().waitFor({ timeout: 30_000 });
  if (await seeDataset.count()) await seeDataset.click();
  await page.getByRole('link', { name: 'Train on it' }).click();
  await field('Trainer').selectOption('linear_arx@1');
  await button('Train').click();
  await page.getByRole('link', { name: 'See the model' }).click({ timeout: 60_000 });
  await page.getByText(/All \d+ checks passed/).waitFor();
  await picture('passed');

  // step responses
  await page.getByRole('tab', { name: 'Step responses' }).click();
  await page.getByRole('button', { name: /voltage to temperature/ }).click();
  await page.getByRole('dialog').getByText('Settled within 2 %').waitFor();
  check(/cell=/.test(page.url()), 'the address holds the open cell');
  await picture('step-response');
  await button('Close').click();

  // keyboard: arrows move between tabs
  await page.getByRole('tab', { name: 'Step responses' }).focus();
  await page.keyboard.press('ArrowRight');
  check((await page.getByRole('tab', { selected: true }).textContent()).trim() === 'Free run', 'arrows move between tabs');
  await page.locator('.u-over').first().waitFor();
  await picture('free-run');

  // shadow, and a request for production
  await button('Take into shadow').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take into shadow' }).click();
  await page.getByText('Stage: shadow').waitFor();
  await button('Replay stored history').click();
  await page.getByText('not enough yet').waitFor();
  await button('Request production').click();
  await page.getByLabel('Reason').fill('it follows the dryer');
  await page.getByLabel('Why the missing evidence may be waived').fill('a laboratory rig: nothing depends on it');
  await page.getByRole('dialog').getByRole('button', { name: 'Request production' }).click();
  await page.getByRole('link', { name: 'A request waits for a decision' }).click();
  await page.getByText('You asked for this: another person decides.').waitFor();
  await picture('request');

  // a second person, made by the first
  await menu('Users');
  await button('Add a user').click();
  await field('User name *').fill('grace');
  await field('Password *').fill(password);
  await page.getByLabel('On lines without a grant of their own').selectOption('operate');
  await page.getByRole('checkbox', { name: /approve/ }).check();
  await button('Save').click();
  await page.getByRole('cell', { name: 'grace' }).first().waitFor();
  const other = await newPage(browser);
  await other.page.goto(service.url);
  await signIn(other.page, 'grace');
  await other.page.getByRole('navigation').getByRole('link', { name: 'Requests' }).click();
  await other.page.getByRole('button', { name: 'Decide' }).click();
  await other.page.getByLabel('Comment').fill('seen: step response and residuals');
  await other.page.getByLabel('Password *').fill(password);
  if (pictures) await other.page.screenshot({ path: join(pictures, 'approve.png') });
  await other.page.getByRole('button', { name: 'Approve' }).click();
  await other.page.getByText('Decided by').waitFor();
  check(other.wrong.length === 0, `no error in the page of the second person ${other.wrong.join('; ')}`);
  await other.page.context().close();
  await menu('Models');
  await page.getByRole('link', { name: /^mdl-/ }).click();
  await page.getByText('Stage: production').waitFor();
  check(true, 'the model is in production');
  await picture('production');

  // a prediction
  await page.getByRole('main').getByRole('link', { name: 'Predict' }).click();
  await page.getByText('What the CVs will do').waitFor({ timeout: 30_000 });
  const end = page.getByText(/At the end:/);
  const before = await end.textContent();
  await button('Add a move').click();
  await page.getByRole('spinbutton', { name: 'level' }).fill('3.41');
  await page.getByRole('spinbutton', { name: 'level' }).press('Enter');
  await page.waitForFunction((text) => [...document.querySelectorAll('p')].some((p) => p.textContent.includes('At the end:') && p.textContent !== text), before);
  check(/move=voltage/.test(decodeURIComponent(page.url())), 'the address holds the planned moves');
  await picture('predict');

  // a reload shows the same view
  await page.reload();
  await page.getByText('What the CVs will do').waitFor({ timeout: 30_000 });
  check((await page.getByRole('spinbutton', { name: 'level' }).inputValue()) === '3.41', 'a reload shows the same view');
  check(wrong.length === 0, `no error in the page ${wrong.join('; ')}`);
});
