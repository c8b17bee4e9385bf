// "What if": the limits and references of a plan that can be moved, and how far a slider goes.
import type { AdvicePlan, PlanTrace } from './advice.ts';

export type LeverField = 'ref' | 'softMin' | 'softMax' | 'hardMin' | 'hardMax' | 'min' | 'max';

export interface Lever {
  /** VARIABLE.FIELD, as the operation names it. */
  key: string;
  field: LeverField;
  varId: string;
  unit: string;
  asked: number;
  low: number;
  high: number;
  step: number;
}

type Fields = Partial<Record<'ref' | 'softMin' | 'softMax' | 'hardMin' | 'hardMax', LeverField>>;
const cvFields: Fields = { ref: 'ref', softMin: 'softMin', softMax: 'softMax', hardMin: 'hardMin', hardMax: 'hardMax' };
const mvFields: Fields = { hardMin: 'min', hardMax: 'max' };

/** A quarter beyond everything that the plan shows of the variable, in 200 steps. */
function levers(trace: PlanTrace, fields: Fields): Lever[] {
  const shown = [...trace.history, ...trace.planned, ...trace.hold, trace.ref, trace.softMin, trace.softMax, trace.hardMin, trace.hardMax]
    .filter((v): v is number => typeof v === 'number' && Number.isFinite(v));
  if (shown.length === 0) return [];
  const least = Math.min(...shown);
  const most = Math.max(...shown);
  const room = (most - least || Math.abs(most) || 1) / 4;
  return (Object.entries(fields) as [keyof Fields, LeverField][]).flatMap(([shownAs, field]) => {
    const asked = trace[shownAs];
    if (typeof asked !== 'number') return [];
    return [{ key: `${trace.varId}.${field}`, field, varId: trace.varId, unit: trace.unit, asked, low: least - room, high: most + room, step: (most - least + 2 * room) / 200 }];
  });
}

export function leversOf(plan: AdvicePlan): Lever[] {
  return [...plan.cvs.flatMap((cv) => levers(cv, cvFields)), ...plan.mvs.flatMap((mv) => levers(mv, mvFields))];
}
