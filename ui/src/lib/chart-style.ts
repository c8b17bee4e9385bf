// How every chart looks: axes, grid and lines in the colours of the sheet.
import uPlot from 'uplot';
import { elapsed, number } from './format.ts';
import { colour } from './theme.svelte.ts';

const kFont = '12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';

function axis(): uPlot.Axis {
  return {
    stroke: colour('muted'),
    font: kFont,
    labelFont: kFont,
    labelSize: 20,
    labelGap: 2,
    grid: { stroke: colour('grid'), width: 1 },
    ticks: { stroke: colour('rule'), width: 1, size: 4 },
  };
}

/** x in seconds since 1970; `isElapsed`: shown as time since the beginning. */
export function timeAxis(isElapsed: boolean): uPlot.Axis {
  if (!isElapsed) return { ...axis(), values: clockValues, space: 95 };
  return { ...axis(), values: (_, ticks) => ticks.map((s) => elapsed(Math.round(s * 1e6))), space: 110 };
}

const clockValues: uPlot.Axis.DynamicValues = (_, ticks, __, ___, step) =>
  ticks.map((s, i) => clockText(s, i === 0 ? undefined : ticks[i - 1], step));

const two = (n: number): string => String(n).padStart(2, '0');

function clockText(s: number, before: number | undefined, step: number): string {
  const d = new Date(s * 1000);
  const day = `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
  const last = before === undefined ? undefined : new Date(before * 1000);
  const sameDay = last !== undefined && last.toDateString() === d.toDateString();
  if (step >= 86_400) return day;
  const fraction = step < 1 ? `.${String(d.getMilliseconds()).padStart(3, '0')}` : '';
  const clock = `${two(d.getHours())}:${two(d.getMinutes())}${step < 60 ? `:${two(d.getSeconds())}${fraction}` : ''}`;
  return sameDay ? clock : `${clock}\n${day}`;
}

export function valueAxis(label: string, size = 64): uPlot.Axis {
  return {
    ...axis(),
    size,
    label: label || undefined,
    values: (_, ticks) => ticks.map((v) => number(v, 5)),
  };
}

export function plainAxis(label: string): uPlot.Axis {
  return { ...axis(), label: label || undefined, values: (_, ticks) => ticks.map((v) => number(v, 4)) };
}

/** Whole steps only. */
export const stepAxis = (label: string): uPlot.Axis => ({ ...plainAxis(label), incrs: [1, 2, 5, 10, 20, 50, 100] });

export interface LineStyle {
  colour?: string;
  dash?: number[];
  width?: number;
  stepped?: boolean;
  points?: boolean;
}

export function line(label: string, style: LineStyle = {}): uPlot.Series {
  return {
    label,
    stroke: colour(style.colour ?? 'trace'),
    width: style.width ?? 1.5,
    dash: style.dash,
    points: { show: style.points ?? false, size: 5 },
    paths: style.stepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined,
    spanGaps: false,
  };
}

/** An invisible line: the edge of a band. */
export const edge = (label: string): uPlot.Series => ({
  label,
  stroke: 'transparent',
  width: 0,
  points: { show: false },
  spanGaps: false,
});

export const band = (above: number, below: number): uPlot.Band => ({
  series: [above, below],
  fill: colour('band'),
});

/** Shades [from, to) of x over the whole height, at least one pixel wide; a bar on top marks it. */
export function shade(plot: uPlot, from: number, to: number, fill: string, topBar?: string): void {
  const { left, top, width, height } = plot.bbox;
  const a = Math.max(left, plot.valToPos(from, 'x', true));
  const b = Math.min(left + width, plot.valToPos(to, 'x', true));
  if (b < left || a > left + width) return;
  const ctx = plot.ctx;
  ctx.save();
  ctx.fillStyle = fill;
  ctx.fillRect(a, top, Math.max(1, b - a), height);
  if (topBar) {
    ctx.fillStyle = topBar;
    ctx.fillRect(a, top, Math.max(2, b - a), 4 * devicePixelRatio);
  }
  ctx.restore();
}

/** Oblique lines over [from, to): left out by a person, told apart from shades without colour. */
export function hatch(plot: uPlot, from: number, to: number, ink: string): void {
  const { left, top, width, height } = plot.bbox;
  const a = Math.max(left, plot.valToPos(from, 'x', true));
  const b = Math.min(left + width, plot.valToPos(to, 'x', true));
  if (b < left || a > left + width) return;
  const ctx = plot.ctx;
  ctx.save();
  ctx.beginPath();
  ctx.rect(a, top, Math.max(1, b - a), height);
  ctx.clip();
  ctx.strokeStyle = ink;
  ctx.globalAlpha = 0.55;
  ctx.lineWidth = devicePixelRatio;
  const step = 9 * devicePixelRatio;
  ctx.beginPath();
  for (let x = a - height; x < b; x += step) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}

/** A dashed vertical line with a short text at the top. */
export function upright(plot: uPlot, x: number, text = '', ink = 'edge'): void {
  const { left, top, width, height } = plot.bbox;
  const at = plot.valToPos(x, 'x', true);
  if (at < left || at > left + width) return;
  const ctx = plot.ctx;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour(ink);
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(at, top);
  ctx.lineTo(at, top + height);
  ctx.stroke();
  ctx.font = `${11 * devicePixelRatio}px system-ui, "DejaVu Sans", sans-serif`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  if (text) ctx.fillText(text, at + 3 * devicePixelRatio, top + 2);
  ctx.restore();
}
