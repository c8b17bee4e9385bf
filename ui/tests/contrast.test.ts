import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

declare const UI_ROOT: string;

// WCAG 2.2: 4.5 for text, 3 for what shows a state or an edge of a control.
const sheet = readFileSync(join(UI_ROOT, 'src/base.css'), 'utf8');
const [light = '', dark = ''] = sheet.split(":root[data-theme='dark']");
const colours = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((m) => [m[1]!, m[2]!]));

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const c = parseInt(hex.slice(i, i + 2), 16) / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

for (const [theme, text] of [['light', light], ['dark', dark.split('}')[0]!]] as const) {
  const c = colours(text);
  const grounds = ['bg', 'panel', 'raised', 'chosen'];
  test(`text can be read, ${theme}`, () => {
    const pairs: [string, string][] = [
      ...grounds.flatMap((g): [string, string][] => [['ink', g], ['muted', g], ['link', g]]),
      ['bad', 'bad-bg'], ['warn', 'warn-bg'], ['bad', 'raised'], ['bad', 'panel'], ['button-ink', 'button'], ['ink', 'bad-bg'],
    ];
    for (const [a, b] of pairs) assert.ok(contrast(c[a]!, c[b]!) >= 4.5, `${a} on ${b}: ${contrast(c[a]!, c[b]!).toFixed(2)}`);
  });
  test(`edges, lines and the focus can be seen, ${theme}`, () => {
    for (const a of ['edge', 'focus', 'trace', 'trace-2', 'trace-3']) {
      for (const g of ['bg', 'panel', 'raised']) assert.ok(contrast(c[a]!, c[g]!) >= 3, `${a} on ${g}: ${contrast(c[a]!, c[g]!).toFixed(2)}`);
    }
  });
}
