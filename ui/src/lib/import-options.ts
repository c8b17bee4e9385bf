// What the import wizard lets people say, and how that becomes a request.
import type { ImportOptions } from './records.ts';

export interface Draft {
  line: string;
  product: string;
  recipe: string;
  run: string;
  columns: string;
  period: string;
  start: string;
  timeColumn: string;
  timeFormat: string;
  timeZone: string;
  doubledHour: string;
  runColumn: string;
  tagColumn: string;
  valueColumn: string;
  unitColumn: string;
  qualityColumn: string;
  qualityCodes: string;
  delimiter: string;
  decimal: string;
  thousands: string;
  badValue: string;
  keepIndex: string;
  gap: string;
  onDuplicate: string;
  maxRejects: string;
  evidence: string;
}

export const emptyDraft = (line: string): Draft => ({
  line, product: '', recipe: '', run: '', columns: '', period: '', start: '', timeColumn: '',
  timeFormat: '', timeZone: '', doubledHour: '', runColumn: '', tagColumn: '', valueColumn: '',
  unitColumn: '', qualityColumn: '', qualityCodes: '', delimiter: '', decimal: '', thousands: '',
  badValue: '', keepIndex: '', gap: '', onDuplicate: '', maxRejects: '', evidence: '',
});

const kLists = new Set(['columns', 'qualityColumn', 'badValue']);

export function listOf(text: string): string[] {
  return text.split(/[,\n]/).map((s) => s.trim()).filter(Boolean);
}

/** What was left empty is found by the platform. */
export function requestOf(draft: Draft): ImportOptions {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(draft)) {
    const text = String(value).trim();
    if (!text) continue;
    out[name] = kLists.has(name) ? (name === 'columns' ? [text] : listOf(text)) : text;
  }
  return out as ImportOptions;
}

/** The name that a field has at the command line, as notes and errors cite it. */
export function citedOptions(text: string): string[] {
  const names = [...text.matchAll(/--([a-z-]+)/g)].map((m) => m[1]!);
  return names.map((n) => n.replace(/-([a-z])/g, (_, c: string) => c.toUpperCase()));
}
