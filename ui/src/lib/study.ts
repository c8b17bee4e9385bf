// What a study found of a model, as report.json holds it, with what its pages draw.
import { send } from './api.ts';
import type { GateReport, Words } from './records.ts';

type Num = number | null;

export interface StepResponse {
  input: string;
  cv: string;
  values: Num[];
  standardErrors: Num[];
  gain: Num;
  gainStdError: Num;
  settlingSteps: Num;
}

export interface DeadTime {
  cv: string;
  mv: string;
  steps: Num;
  low: Num;
  high: Num;
  note: string;
}

export interface FreeRunTrace {
  cv: string;
  unit: string;
  block: string;
  run: string;
  t: number[];
  actual: Num[];
  predicted: Num[];
}

export interface InputTrace {
  tag: string;
  unit: string;
  block: string;
  run: string;
  stepped: boolean;
  t: number[];
  value: Num[];
}

export interface ErrorTable {
  nrmse: Num;
  perTarget: { cv: string; nrmse: Num; rmse: Num; rmseByStep: Num[] }[];
}

export interface ResidualTest {
  cv: string;
  autocorrelation: Num[];
  bound: number;
  pValue: Num;
  white: boolean;
  inputs: { input: string; bound: number; positive: Num[]; negative: Num[]; missesDynamics: boolean; feedback: boolean }[];
}

export interface Uq {
  method: string;
  alpha: number;
  cvs: string[];
  qhatPerCv: Num[];
  coverageTest: Num;
  coverageThreshold: Num;
  coverageLow: Num;
  coverageHigh: Num;
  covered: boolean;
  passChance: Num;
  blocksNeeded?: Num;
  horizon: number;
  nValBlocks: number;
  nValRuns: number;
  nTestBlocks: number;
  nTestRuns: number;
  safetyFactor?: Num;
  stepBands: { cv: string; factor: Num; halfWidth: Num[]; coverageTest: Num }[];
}

export interface StudyReport {
  verdict: string;
  gates: GateReport | null;
  nextSteps: (Words | string)[];
  notes: Words[];
  deadTimes: DeadTime[];
  freeRunFit: { block: string; cv: string; percent: Num; rows: number; rowsLeftOut: number }[];
  model: { id: string; artifactKind: string; artifactHash: string } | null;
  dataset: { id: string; sha256: string; rowCount: number };
  identification: {
    stepResponses?: StepResponse[];
    noiseFloor?: Num;
    cvs?: { cv: string; na: number; nb: number; noiseFloor: Num; differenced: boolean; integrating: boolean }[];
    leaderboard?: { structure?: string; trainer?: string; score?: Num; chosen?: boolean; note?: string; reason?: string }[];
    excitation?: { input: string; leftOut: boolean; moves: number; levels: number; reason: string }[];
    lags?: { input: string; cv: string; gain: Num; deadTime: Num; timeConstant: Num; fit: Num }[];
  } | null;
  evaluation: {
    ioSpec: { beatMs: number; mvs: string[]; dvs: string[]; cvs: string[]; historySteps: number; horizonSteps: number };
    rolloutTest?: ErrorTable;
    persistenceTest?: ErrorTable;
    residualTests?: ResidualTest[];
    operatingPoints?: unknown;
  } | null;
  uq: Uq | null;
  uqReason: string | null;
  provenance?: { version?: string; startedAt?: string; seconds?: number; request?: Record<string, unknown> };
}

export interface Pictures {
  beatMs: number;
  elapsedTime: boolean;
  units: Record<string, string>;
  freeRun: FreeRunTrace[];
  inputs: InputTrace[];
  responseCurves?: ResponseCurve[];
}

/** A CV against one input of a static model, the others at their train mean. */
export interface ResponseCurve {
  cv: string;
  input: string;
  x: Num[];
  centre: Num[];
  low: Num[];
  high: Num[];
  testX: Num[];
  testY: Num[];
}

export interface Study {
  report: StudyReport;
  pictures: Pictures;
}

export async function readStudy(experiment: string, signal?: AbortSignal): Promise<Study> {
  const answer = await send('GET', `/experiments/${encodeURIComponent(experiment)}/report`, { signal });
  return (await answer.json()) as Study;
}

/** Inputs and CVs in the order of the model; those that only dead times or steps name come last. */
export function inputsOf(report: StudyReport): string[] {
  const io = report.evaluation?.ioSpec;
  const names = [...(io?.mvs ?? []), ...(io?.dvs ?? [])];
  for (const d of report.deadTimes) names.push(d.mv);
  for (const s of report.identification?.stepResponses ?? []) names.push(s.input);
  return [...new Set(names)];
}

export function cvsOf(report: StudyReport): string[] {
  const names = [...(report.evaluation?.ioSpec.cvs ?? []), ...report.deadTimes.map((d) => d.cv)];
  return [...new Set(names)];
}

export interface Band {
  centre: Num[];
  low: Num[];
  high: Num[];
}

/** 95 %: ±1.96 standard errors. */
export function bandOf(step: StepResponse): Band {
  const edge = (sign: number): Num[] =>
    step.values.map((v, i) => {
      const error = step.standardErrors[i];
      return v === null || error === null || error === undefined ? v : v + sign * 1.96 * error;
    });
  return { centre: step.values, low: edge(-1), high: edge(1) };
}

/** A dead time found at lag n lies between (n − 1) and n beats: seconds. */
export function deadTimeRange(low: Num, high: Num, beatMs: number): [number, number] | undefined {
  if (low === null || high === null) return undefined;
  return [(Math.max(0, low - 1) * beatMs) / 1000, (high * beatMs) / 1000];
}

/** Unit of a gain: "(m³/h)/V". */
export function perUnit(cvUnit: string, inputUnit: string): string {
  const grouped = (unit: string): string => (/[/ *·]/.test(unit) ? `(${unit})` : unit);
  if (!inputUnit) return cvUnit;
  return `${cvUnit ? grouped(cvUnit) : '1'}/${grouped(inputUnit)}`;
}

export const textOf = (words: Words | string): string => (typeof words === 'string' ? words : words.text);
