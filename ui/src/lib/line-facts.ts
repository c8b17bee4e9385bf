// What the overview says of each line, from lists that hold all lines.
import type { ExperimentSummary, ImportRecord, Line, Model, Segment } from './records.ts';

export interface LineFacts {
  line: Line;
  lastImport?: ImportRecord;
  lastExperiment?: ExperimentSummary;
  models: Record<Model['stage'], number>;
  drafts: number;
}

/** Lists are newest first. */
export function lineFacts(
  lines: Line[],
  imports: ImportRecord[],
  experiments: ExperimentSummary[],
  models: Model[],
  drafts: Segment[],
): LineFacts[] {
  return lines.map((line) => {
    const stages = { candidate: 0, shadow: 0, production: 0, retired: 0 };
    for (const model of models) if (model.lineId === line.id) stages[model.stage] += 1;
    return {
      line,
      lastImport: imports.find((i) => i.lineId === line.id),
      lastExperiment: experiments.find((e) => e.lineId === line.id),
      models: stages,
      drafts: drafts.filter((s) => s.lineId === line.id).length,
    };
  });
}
