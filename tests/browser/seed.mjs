// A plant with something on every screen: files of the examples, datasets, a passed and a refused model.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './service.mjs';

export async function waitForJob(client, id) {
  for (let i = 0; i < 600; i += 1) {
    const job = await client.send('GET', `/jobs/${id}`);
    if (job.endedAt) return job;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`job ${id} does not end`);
}

/** The dryer cut into runs, so that there is uncertainty evidence. */
export function dryerRuns(rows = 125) {
  const text = readFileSync(join(root, 'examples/data/hair_dryer.dat'), 'utf8');
  const lines = text.trim().split('\n').map((line) => line.trim().split(/\s+/));
  const body = lines.map(([u, y], i) => `dry-${Math.floor(i / rows) + 1},${u},${y}`);
  return ['run,voltage,temperature', ',V,°C', ...body].join('\n');
}

export async function seed(client) {
  const plant = readFileSync(join(root, 'examples/data/power_plant.dat'));
  await client.import({ line: 'dryer', runColumn: 'run', period: '80ms' }, dryerRuns());
  await client.import({
    line: 'plant', period: '1228.8s',
    columns: 'sample,gas,valve,spray,dampers,air,pressure,main_steam,reheat,r1,r2,r3',
  }, plant);
  const models = {};
  for (const [line, mv, cv, windows] of [
    ['dryer', ['voltage'], ['temperature'], { history: 15, horizon: 10 }],
    ['plant', ['gas', 'valve', 'air'], ['pressure', 'main_steam'], { history: 10, horizon: 10 }],
  ]) {
    const dataset = await client.send('POST', '/datasets', { line, mv, cv, ...windows });
    const job = await client.send('POST', '/jobs/training', { dataset: dataset.id, trainer: 'linear_arx@1' });
    const ended = await waitForJob(client, job.id);
    models[line] = { dataset: dataset.id, job: job.id, modelId: ended.modelId, experimentId: ended.experimentId };
  }
  return models;
}
