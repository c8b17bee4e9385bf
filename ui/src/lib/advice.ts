// Advice as the page shows it, and the words for what counts down or stands out.
import type { Words } from './records.ts';

export type AdviceStatus = 'unverified' | 'verified' | 'accepted' | 'rejected' | 'applied' | 'expired';

export interface CardMove {
  varId: string;
  unit: string;
  from: number;
  to: number;
  rest: number;
}
export interface CardEffect {
  varId: string;
  unit: string;
  from: number;
  to: number;
  hold: number;
  low?: number;
  high?: number;
  afterSec: number;
}
/** One variable where the plant should rest, and what was wanted of it. */
export interface CardRest {
  varId: string;
  unit: string;
  value: number;
  wanted?: number;
}
/** From where the model was trained: per variable in train deviations, and all together. */
export interface InputDistances {
  now?: number;
  along?: number;
  limit: number;
  mahalanobisNow?: number;
  mahalanobisAlong?: number;
  mahalanobisLimit?: number;
}
export interface Card {
  recommendationId: string;
  runId: string;
  bindingId: string;
  status?: AdviceStatus;
  statusLabel: string;
  lines: string[];
  advice: boolean;
  noAdvice?: Words;
  moves: CardMove[];
  effects: CardEffect[];
  bindingLimits: string[];
  rest: CardRest[];
  atRest: Words[];
  relaxed: Words[];
  infeasible: Words[];
  mind: Words[];
  saving?: number;
  distances?: InputDistances;
  validUntil?: number;
}

/** One variable of a plan in the unit of its tag: before now, and what is planned. */
export interface PlanTrace {
  varId: string;
  unit: string;
  history: (number | null)[];
  planned: number[];
  hold: number[];
  low: number[];
  high: number[];
  hardMin?: number;
  hardMax?: number;
  softMin?: number;
  softMax?: number;
  ref?: number;
  rest?: number;
}
export interface AdvicePlan {
  beatSec: number;
  mvs: PlanTrace[];
  cvs: PlanTrace[];
  /** CVs as the advice before this one had them, given that much earlier. */
  earlier: PlanTrace[];
  earlierSec: number;
}

/** Time that is left, never below 0, in microseconds. */
export const left = (validUntil: number | undefined, now: number): number =>
  validUntil === undefined ? 0 : Math.max(0, validUntil - now);

export const isOpen = (status: AdviceStatus | undefined): boolean =>
  status === 'unverified' || status === 'verified' || status === 'accepted';

/** How a status is marked: only what is abnormal has a colour. */
export function markOf(status: AdviceStatus | undefined): 'good' | 'warn' | 'wait' | 'info' {
  if (status === 'unverified' || status === 'expired') return 'warn';
  if (status === 'verified' || status === 'accepted') return 'good';
  return status === 'applied' ? 'info' : 'wait';
}

/** The step at which a plan leaves a value for good: what an operator has to do, not every sample. */
export function moveList(trace: PlanTrace, beatSec: number): { afterSec: number; to: number }[] {
  const out: { afterSec: number; to: number }[] = [];
  let last = [...trace.history].reverse().find((v): v is number => v !== null);
  trace.planned.forEach((to, step) => {
    if (last === undefined || Math.abs(to - last) > 1e-9 * Math.max(1, Math.abs(to))) out.push({ afterSec: step * beatSec, to });
    last = to;
  });
  return out;
}
