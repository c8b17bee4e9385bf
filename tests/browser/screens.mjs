// Every screen in both themes: a picture, no error in the page, nothing that axe-core refuses.
// node screens.mjs PROGRAM [FOLDER]; with a folder the pictures are kept.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './check.mjs';
import { seed, seedAdvice } from './seed.mjs';
import { Client, newPage, password, root, settled, signIn } from './service.mjs';

const screens = ({ dryer, plant, column }) => ({
  lines: '#/lines',
  trends: '#/trends?line=dryer&tag=temperature&tag=voltage&from=-10s',
  runs: '#/runs?line=dryer',
  run: '#/runs/dry-3?line=dryer',
  recipes: '#/recipes?line=dryer',
  recipe: '#/recipes/default?line=dryer&product=default',
  specs: '#/specs',
  'spec-new': '#/specs/new?line=dryer',
  spec: '#/specs/dryer?line=dryer',
  notices: '#/notices',
  evaluation: `#/evaluations/${dryer.evaluation}`,
  segments: '#/segments?line=dryer',
  import: '#/import',
  datasets: '#/datasets',
  dataset: `#/datasets/${dryer.dataset}`,
  build: '#/build?line=plant&mv=gas&cv=pressure',
  train: `#/train?dataset=${dryer.dataset}`,
  plans: '#/plans',
  jobs: '#/jobs',
  job: `#/jobs/${plant.job}`,
  experiments: '#/experiments',
  refused: `#/experiments/${plant.experimentId}`,
  models: '#/models',
  model: `#/models/${dryer.modelId}`,
  steps: `#/models/${dryer.modelId}?tab=steps`,
  step: `#/models/${dryer.modelId}?tab=steps&cell=temperature~voltage`,
  'free-run': `#/models/${dryer.modelId}?tab=free`,
  residuals: `#/models/${dryer.modelId}?tab=residuals`,
  uncertainty: `#/models/${dryer.modelId}?tab=uncertainty`,
  making: `#/models/${dryer.modelId}?tab=making`,
  predict: `#/predict?model=${dryer.modelId}&move=voltage:2:3.41`,
  advice: '#/advice',
  card: `#/advice/${column.advice}`,
  profiles: `#/profiles?model=${column.modelId}`,
  profile: `#/profiles/${column.profile}`,
  requests: '#/requests',
  users: '#/users',
  tokens: '#/tokens',
  audit: '#/audit',
  settings: '#/settings',
  environment: '#/environment',
});

await run('screens', async ({ service, browser, check, pictures }) => {
  const client = new Client(service.url);
  await client.claim(service.token, 'ada', password);
  const known = screens({ ...(await seed(client)), column: await seedAdvice(client) });
  const axe = readFileSync(join(root, 'ui/node_modules/axe-core/axe.min.js'), 'utf8');
  if (pictures) mkdirSync(pictures, { recursive: true });
  for (const theme of ['light', 'dark']) {
    const { page, wrong } = await newPage(browser, { colorScheme: theme });
    await page.goto(service.url);
    await signIn(page, 'ada');
    for (const [name, hash] of Object.entries(known)) {
      await page.goto(`${service.url}/${hash}`);
      await settled(page);
      if (pictures) await page.screenshot({ path: join(pictures, `${name}-${theme}.png`), fullPage: name !== 'step' });
      check(await page.getByRole('alert').count() === 0, `${name}, ${theme}: no problem is shown`);
      await page.evaluate(axe);
      const found = await page.evaluate(async () => {
        const result = await globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] });
        return result.violations.map((v) => `${v.id}: ${v.nodes[0].target.join(' ')} (${v.nodes.length})`);
      });
      check(found.length === 0, `${name}, ${theme}: accessibility ${found.join('; ')}`);
      check(wrong.length === 0, `${name}, ${theme}: no error ${wrong.join('; ')}`);
      wrong.length = 0;
    }
    await page.context().close();
  }
});
