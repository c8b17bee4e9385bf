// Planned moves of the MVs: a level that holds until the next move.
export interface Move {
  step: number;
  value: number;
}

/** "MV:step:value" of an address; what cannot be read is left out. */
export function parseMoves(texts: string[]): Map<string, Move[]> {
  const out = new Map<string, Move[]>();
  for (const text of texts) {
    const parts = text.split(':');
    const value = Number(parts.pop());
    const step = Number(parts.pop());
    const mv = parts.join(':');
    if (!mv || !Number.isInteger(step) || step < 0 || !Number.isFinite(value)) continue;
    out.set(mv, [...(out.get(mv) ?? []), { step, value }]);
  }
  for (const moves of out.values()) moves.sort((a, b) => a.step - b.step);
  return out;
}

export const moveTexts = (plan: Map<string, Move[]>): string[] =>
  [...plan].flatMap(([mv, moves]) => moves.map((m) => `${mv}:${m.step}:${m.value}`));

/** A move at a step that has one already replaces it. */
export function withMove(moves: Move[], move: Move): Move[] {
  return [...moves.filter((m) => m.step !== move.step), move].sort((a, b) => a.step - b.step);
}

/** The level at steps 0 … steps−1, from `now` on. */
export function levels(moves: Move[], now: number, steps: number): number[] {
  let level = now;
  return Array.from({ length: steps }, (_, step) => {
    const move = moves.find((m) => m.step === step);
    if (move) level = move.value;
    return level;
  });
}

/** `value` on the grid of `digits` significant digits of the range: what a person would type. */
export function rounded(value: number, range: number): number {
  if (!(range > 0)) return value;
  const grid = 10 ** Math.floor(Math.log10(range / 200));
  return Number((Math.round(value / grid) * grid).toPrecision(12));
}
