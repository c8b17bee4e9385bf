// Experiments, the best first: passed before refused, then the smaller rollout error on test.
import type { Dataset, Experiment, GateReport } from './records.ts';

export interface Row {
  experiment: Experiment;
  line: string;
  failed: string[];
  oneStep: number | null;
  rollout: number | null;
  better: number | null;
}

const figure = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

export function leaderboard(experiments: Experiment[], datasets: Dataset[]): Row[] {
  const lines = new Map(datasets.map((d) => [d.id, d.lineId]));
  const rows = experiments.map((experiment): Row => {
    const metrics = (experiment.metrics ?? {}) as {
      oneStepTest?: { nrmse?: unknown };
      rolloutNrmse?: unknown;
      rolloutImprovement?: unknown;
    };
    const gates = experiment.gates as GateReport | null | undefined;
    return {
      experiment,
      line: lines.get(experiment.datasetId) ?? '',
      failed: gates?.checks?.filter((c) => !c.pass).map((c) => c.id) ?? [],
      oneStep: figure(metrics.oneStepTest?.nrmse),
      rollout: figure(metrics.rolloutNrmse),
      better: figure(metrics.rolloutImprovement),
    };
  });
  const rank = (r: Row): number => (r.experiment.status === 'gates_passed' ? 0 : 1);
  return rows.sort((a, b) => rank(a) - rank(b) || (a.rollout ?? Infinity) - (b.rollout ?? Infinity));
}
