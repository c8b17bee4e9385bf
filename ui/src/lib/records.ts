// The records of the answers, by their names in the vocabulary.
import type { Answers, Requests } from './api-types.ts';

export type Line = Answers['lines.add'];
export type Tag = Answers['tags.show']['tag'];
export type Run = Answers['runs.show']['run'];
export type Mark = Answers['marks.add'];
export type Segment = Answers['segments.show']['segment'];
export type Recipe = Answers['recipes.show']['recipe'];
export type RecipeVersion = Answers['recipes.show']['versions'][number];
export type Dataset = Answers['datasets.show']['dataset'];
export type Experiment = Answers['experiments.show'];
export interface ExperimentSummary {
  id: string;
  datasetId: string;
  lineId: string;
  trainer: string;
  status: Experiment['status'];
  seed: number;
  oneStep: number | null;
  rollout: number | null;
  better: number | null;
  failedGates: string[];
  reason: string;
  createdAt: number;
}
export type Model = Answers['models.show'];
export type Setting = Answers['config.show']['settings'][number];
export type ImportAnswer = Answers['import'];
export type ImportOptions = Omit<Requests['import'], 'file'>;
export type Account = ImportAnswer['account'];
export type Words = { code: string; text: string };

export interface ImportRecord {
  at: number;
  lineId: string;
  source: string;
  sha256: string;
  rowsIn: number;
  stored: number;
  rejected: number;
  merged: number;
  account: Account;
}

export interface GateCheck {
  id: string;
  name: string;
  pass: boolean;
  value: number | null;
  threshold: number | null;
  source: string;
  detail: string;
  reasons?: Words[];
  perCv?: { cv: string; pass: boolean; value: number | null; threshold: number; reference?: number | null }[];
}

export interface GateReport {
  passed: boolean;
  policy: string;
  settingsVersion: number;
  checks: GateCheck[];
  reasons?: Words[];
  loosened?: Record<string, string>;
}
export type Job = Omit<Answers['jobs.show'], 'attempts' | 'request'>;
export type Attempt = Answers['jobs.show']['attempts'][number];
export type JobState = Job['state'];

/** What a dataset's report and a dry run say. */
export interface DatasetReport {
  rowCount: number;
  rows: Record<'train' | 'val' | 'test', number>;
  windowCount: number;
  windows: Record<'train' | 'val' | 'test', number>;
  runsUsed: string[];
  runsDropped: { runId: string; reason?: Words | string; text?: string }[];
  runShapes: { runId: string; steps: number; segments: number; holes: number; longestHole: number }[];
  warnings: Words[];
  constantColumns: string[];
  cleaning: Record<string, Record<string, number>>;
  nodeSummaries: {
    nodeId: string;
    role: string;
    count: number;
    mean: number | null;
    std: number | null;
    min: number | null;
    max: number | null;
    missingRatio: number;
    cleanedRatio: number;
    filledRatio: number;
  }[];
}

export interface DatasetSpec {
  beatMs: number;
  lineId: string;
  productId: string;
  recipeId: string;
  runIds: string[];
  note: string;
  variables: { id: string; role: 'mv' | 'cv' | 'dv'; unit: string; integrating: boolean; stepped: boolean }[];
  window: { historySteps: number; horizonSteps: number };
  split: { seed: number; valRatio: number; testRatio: number };
}

export interface DatasetSurvey {
  proposals: Words[];
  pairs: {
    deadTime: {
      input: string; cv: string; found: boolean; active: boolean; feedThrough: boolean;
      steps: number | null; low: number | null; high: number | null; pValue: number | null;
    };
  }[];
  feedback: { mv: string; cv: string; inLoop: boolean; probability: number | null; setPoint: string }[];
  variables: {
    variable: string; role: string;
    /** Of inputs only. */
    excitation?: { excited: boolean; constant: boolean; levels: number; moves: number; reason: string };
  }[];
  runs: { runId: string; steps: number; train: boolean; usableShare: number; reason: string }[];
}

export interface UserRecord {
  id: string;
  displayName: string;
  kind: 'person' | 'agent' | 'system';
  rights: Right[];
  allLines: 'none' | 'read' | 'operate';
  lines: Record<string, 'none' | 'read' | 'operate'>;
  disabled: boolean;
  createdAt: number;
}

export interface TokenRecord {
  id: string;
  name: string;
  userId: string;
  scopes: string[];
  lines: string[];
  createdAt: number;
  expiresAt: number;
  lastUsedAt?: number;
  revokedAt?: number;
}

export interface AuditRecord {
  number: number;
  at: number;
  hash: string;
  actor: string;
  actorKind: string;
  action: string;
  targetKind: string;
  targetId: string;
  lineId: string;
  outcome: string;
  before: unknown;
  after: unknown;
  reason: string;
}

export interface Approval {
  id: string;
  kind: string;
  object: string;
  digest: string;
  lineId: string;
  requestedBy: string;
  requestedAt: number;
  reason: string;
  expiresAt: number;
  status: 'pending' | 'approved' | 'rejected' | 'expired';
  decidedBy?: string;
  decidedAt?: number;
  comment: string;
}

export const kMarkKinds = ['bad', 'steady', 'batch'] as const;
export const kRights = ['view', 'train', 'evaluate', 'request', 'approve', 'operate', 'admin'] as const;
export type Right = (typeof kRights)[number];
export type Grant = UserRecord['allLines'];
export type ProcessSpec = Omit<Answers['process-specs.show'], 'versions'>;
export type SpecContent = ProcessSpec['content'];
export type Notice = Answers['notices.list']['items'][number];
export type Evaluation = Answers['evaluations.show'];
export type AdviceBinding = Answers['bindings.show'];
export type AdviceProfile = Answers['profiles.show'];
export type AdviceRecord = NonNullable<Answers['advice.show']['recommendation']>;
export type AdviceOutcome = Answers['advice.outcome'];
export type AdviceCandidate = Answers['solves.show']['candidates'][number];
