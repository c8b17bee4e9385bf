// Experiments, the best first: passed before refused, then the smaller rollout error on test.
import type { ExperimentSummary } from './records.ts';

export function leaderboard(experiments: ExperimentSummary[]): ExperimentSummary[] {
  const rank = (e: ExperimentSummary): number => (e.status === 'gates_passed' ? 0 : 1);
  return [...experiments].sort((a, b) => rank(a) - rank(b) || (a.rollout ?? Infinity) - (b.rollout ?? Infinity));
}
