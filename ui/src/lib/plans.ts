// Training plans: what a plan repeats is how a dataset was built.
import type { Answers, Requests } from './api-types.ts';
import type { DatasetSpec } from './records.ts';

export type Plan = Omit<Answers['plans.show'], 'trainings' | 'runsNow' | 'newRows'>;
export type PlanStatus = Plan['lastStatus'];

export const planMarks = { idle: 'wait', training: 'run', done: 'good', failed: 'bad' } as const;

/** Shares of train, val and test, as the request takes them. */
export function shares(split: DatasetSpec['split']): string {
  const train = 1 - split.valRatio - split.testRatio;
  return [train, split.valRatio, split.testRatio].map((x) => String(Math.round(x * 1e6) / 1e6)).join(',');
}

/** The variables, beat, window and split of a dataset; its runs and times are not repeated. */
export function repeated(spec: DatasetSpec): Omit<Requests['plans.create'], 'name'> {
  const of = (role: string): string[] => spec.variables.filter((v) => v.role === role).map((v) => v.id);
  return {
    line: spec.lineId,
    product: spec.productId,
    recipe: spec.recipeId,
    mv: of('mv'),
    cv: of('cv'),
    dv: of('dv'),
    integrating: spec.variables.filter((v) => v.integrating).map((v) => v.id),
    beat: Math.round(spec.beatMs * 1000),
    history: spec.window.historySteps,
    horizon: spec.window.horizonSteps,
    split: shares(spec.split),
  };
}
