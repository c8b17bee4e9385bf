// A profile while a person writes it: texts, turned into numbers at the end.
export interface MvDraft {
  varId: string;
  unit: string;
  min: string;
  max: string;
  maxMove: string;
  moveWeight: string;
  target: string;
}
export interface CvDraft {
  varId: string;
  unit: string;
  role: 'track' | 'min' | 'max' | 'band';
  ref: string;
  weight: string;
  softMin: string;
  softMax: string;
  hardMin: string;
  hardMax: string;
}
export interface Draft {
  name: string;
  modelId: string;
  horizon: string;
  controlHorizon: string;
  validitySec: string;
  mv: MvDraft[];
  cv: CvDraft[];
}

export interface ModelVariable {
  id: string;
  role: 'mv' | 'cv' | 'dv';
  unit: string;
  min: number;
  max: number;
  mean: number;
  std: number;
}

const round = (value: number): string => String(Number(value.toPrecision(4)));

/** Limits where train has been, a tenth of its range a move, the mean as reference: to be changed. */
export function draftOf(modelId: string, variables: readonly ModelVariable[], horizon: number): Draft {
  return {
    name: '',
    modelId,
    horizon: String(Math.min(horizon, 512)),
    controlHorizon: String(Math.max(1, Math.min(10, Math.floor(horizon / 3)))),
    validitySec: '900',
    mv: variables.filter((v) => v.role === 'mv').map((v) => ({
      varId: v.id, unit: v.unit, min: round(v.min), max: round(v.max), maxMove: round((v.max - v.min) / 10), moveWeight: '0.1', target: '',
    })),
    cv: variables.filter((v) => v.role === 'cv').map((v) => ({
      varId: v.id, unit: v.unit, role: 'track', ref: round(v.mean), weight: '1', softMin: '', softMax: '', hardMin: '', hardMax: '',
    })),
  };
}

/** Empty: absent. What is no number is named by its field. */
export function contentOf(draft: Draft): { content: Record<string, unknown>; wrong: string[] } {
  const wrong: string[] = [];
  const read = (text: string, field: string): number | undefined => {
    if (!text.trim()) return undefined;
    const value = Number(text.trim().replace('−', '-'));
    if (!Number.isFinite(value)) wrong.push(field);
    return value;
  };
  const rows = <T extends { varId: string }>(list: T[], fields: (keyof T & string)[]): Record<string, unknown>[] =>
    list.map((row) => {
      const out: Record<string, unknown> = { varId: row.varId };
      for (const field of fields) {
        const value = read(String(row[field]), `${row.varId} ${field}`);
        if (value !== undefined) out[field] = value;
      }
      return out;
    });
  const cv = rows(draft.cv, ['ref', 'weight', 'softMin', 'softMax', 'hardMin', 'hardMax']);
  draft.cv.forEach((row, i) => {
    cv[i]!.role = row.role;
    if (row.role !== 'track') delete cv[i]!.ref;
  });
  const content: Record<string, unknown> = {
    name: draft.name.trim(),
    modelId: draft.modelId,
    mv: rows(draft.mv, ['min', 'max', 'maxMove', 'moveWeight', 'target']),
    cv,
    horizon: read(draft.horizon, 'horizon'),
    controlHorizon: read(draft.controlHorizon, 'controlHorizon'),
    validitySec: read(draft.validitySec, 'validitySec'),
  };
  return { content, wrong };
}
