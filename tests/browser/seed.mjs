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
  await client.send('POST', '/process-specs', { name: 'dryer', line: 'dryer', spec: {
    variables: [
      { tag: 'voltage', role: 'mv', min: 0, max: 10, delayMs: 160 },
      { tag: 'temperature', role: 'cv', unit: '°C', min: 0, max: 20 },
    ],
    priors: ['voltage->temperature gain>0'], historySteps: 15, horizonSteps: 10,
  } });
  await client.send('POST', '/process-specs/dryer/activate', { line: 'dryer' });
  const other = await client.send('POST', '/datasets', { line: 'dryer', processSpec: 'dryer' });
  const judged = await client.send('POST', `/models/${models.dryer.modelId}/evaluations`, { dataset: other.id });
  await waitForJob(client, judged.id);
  models.dryer.evaluation = (await client.send('GET', `/evaluations?model=${models.dryer.modelId}`)).items[0].id;
  return models;
}

/** A first-order plant at a beat of 10 min: six runs for training, and one that goes on until now. */
export function liveColumn(now = Date.now()) {
  const beat = 600;
  const rows = 500;
  const live = 150;
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return (seed >>> 8) / 16777216;
  };
  let at = Math.floor(now / 1000 / beat) * beat - beat - (6 * (rows + 6) + live - 1) * beat;
  const lines = ['time,run,reflux,purity'];
  for (let run = 1; run <= 7; run += 1) {
    let [y, u, before] = [0, 0, 0];
    for (let i = 0; i < (run === 7 ? live : rows); i += 1) {
      if (run < 7 && random() < 0.07) u = random() < 0.5 ? -1 : 1;
      lines.push(`${at},B${run},${10 + u},${100 + y + 0.06 * (random() - 0.5)}`);
      y = 0.85 * y + 0.3 * before;
      before = u;
      at += beat;
    }
    at += 6 * beat;
  }
  return lines.join('\n');
}

/** A controller in force on a live line, and advice that it gave. */
export async function seedAdvice(client) {
  await client.import({ line: 'column', runColumn: 'run', evidence: 'real', confirmContext: 'true' }, liveColumn());
  const dataset = await client.send('POST', '/datasets', { line: 'column', mv: ['reflux'], cv: ['purity'], history: 15, horizon: 25 });
  const job = await client.send('POST', '/jobs/training', { dataset: dataset.id, trainer: 'linear_arx@1' });
  const { modelId } = await waitForJob(client, job.id);
  await client.send('POST', `/models/${modelId}/stage`, { to: 'shadow', reason: 'to give advice' });
  const profile = await client.send('POST', '/optimizer/profiles', {
    profile: {
      name: 'Column top', modelId, horizon: 25, controlHorizon: 5, requireUq: false,
      mv: [{ varId: 'reflux', min: 8.5, max: 11.5, maxMove: 0.5 }],
      cv: [{ varId: 'purity', ref: 101, softMax: 101.5, hardMax: 102.5 }],
    },
  });
  await client.send('POST', `/optimizer/profiles/${profile.id}/activate`, {});
  const binding = await client.send('POST', '/optimizer/bindings', { profile: profile.id });
  await client.send('POST', `/optimizer/bindings/${binding.id}/solve`, {});
  const card = await client.send('POST', `/optimizer/bindings/${binding.id}/solve`, {});
  if (!card.advice) throw new Error(`no advice: ${JSON.stringify(card.noAdvice)}`);
  return { profile: profile.id, modelId, advice: card.recommendationId };
}
