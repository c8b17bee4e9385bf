// A process-model spec while a person writes it: texts, turned into its content at the end.
import { kRoles, type RoleName } from './build-request.ts';
import { duration, parseDuration } from './format.ts';
import type { SpecContent, Tag } from './records.ts';

export const specMarks = { draft: 'wait', active: 'good', retired: 'info' } as const;

export interface VariableDraft {
  tag: string;
  role: RoleName;
  unit: string;
  min: string;
  max: string;
  delay: string;
  flow: string;
  atFlow: string;
  setPoint: string;
  integrating: boolean;
  modes: string;
}

export interface SpecDraft {
  product: string;
  recipe: string;
  beat: string;
  history: string;
  horizon: string;
  trainer: string;
  priors: string;
  note: string;
  variables: VariableDraft[];
}

export function variableDraft(tag: string, role: RoleName, unit = ''): VariableDraft {
  return { tag, role, unit, min: '', max: '', delay: '', flow: '', atFlow: '', setPoint: '', integrating: false, modes: '' };
}

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
const time = (ms: number | undefined): string => (ms === undefined ? '' : duration(ms * 1000));

/** What a version says, to be changed; without one, the roles that the tags declare. */
export function specDraft(content: SpecContent | undefined, tags: readonly Tag[]): SpecDraft {
  return {
    product: content?.product ?? 'default',
    recipe: content?.recipe ?? 'default',
    beat: time(content?.beatMs),
    history: text(content?.historySteps),
    horizon: text(content?.horizonSteps),
    trainer: content?.trainer ?? '',
    priors: (content?.priors ?? []).join('\n'),
    note: content?.note ?? '',
    variables: content
      ? content.variables.map((v) => ({
          tag: v.tag, role: v.role, unit: v.unit ?? '', min: text(v.min), max: text(v.max), delay: time(v.delayMs), flow: v.flow ?? '',
          atFlow: text(v.atFlow), setPoint: v.setPoint ?? '', integrating: v.integrating, modes: v.modes.join(', '),
        }))
      : kRoles.flatMap((role) => tags.filter((tag) => tag.role === role).map((tag) => variableDraft(tag.name, role, tag.unit))),
  };
}

/** The draft with `tag` in `role`, or out of it. */
export function withVariable(draft: SpecDraft, tag: Tag, role: string): SpecDraft {
  const others = draft.variables.filter((v) => v.tag !== tag.name);
  const named = kRoles.find((r) => r === role);
  if (!named) return { ...draft, variables: others };
  const before = draft.variables.find((v) => v.tag === tag.name) ?? variableDraft(tag.name, named, tag.unit);
  const changed = { ...before, role: named, integrating: before.integrating && named === 'cv' };
  return { ...draft, variables: [...others, changed] };
}

/** Empty: absent. What cannot be read is named. */
export function specContent(draft: SpecDraft): { content: SpecContent; wrong: string[] } {
  const wrong: string[] = [];
  const number = (given: string, field: string): number | undefined => {
    if (!given.trim()) return undefined;
    const value = Number(given.trim().replace('−', '-'));
    if (!Number.isFinite(value)) wrong.push(field);
    return value;
  };
  const milliseconds = (given: string, field: string): number | undefined => {
    if (!given.trim()) return undefined;
    const us = parseDuration(given.trim());
    if (us === undefined) wrong.push(field);
    return us === undefined ? undefined : us / 1000;
  };
  const list = (given: string, by: RegExp): string[] => given.split(by).map((s) => s.trim()).filter(Boolean);
  const content = {
    product: draft.product.trim() || 'default',
    recipe: draft.recipe.trim() || 'default',
    variables: draft.variables.map((v) => ({
      tag: v.tag,
      role: v.role,
      unit: v.unit.trim() || undefined,
      min: number(v.min, `${v.tag} min`),
      max: number(v.max, `${v.tag} max`),
      delayMs: v.role === 'cv' ? undefined : milliseconds(v.delay, `${v.tag} delay`),
      flow: v.role === 'cv' ? undefined : v.flow || undefined,
      atFlow: v.role === 'cv' ? undefined : number(v.atFlow, `${v.tag} atFlow`),
      setPoint: v.role === 'mv' ? v.setPoint || undefined : undefined,
      integrating: v.role === 'cv' && v.integrating,
      modes: list(v.modes, /,/),
    })),
    priors: list(draft.priors, /\n/),
    beatMs: milliseconds(draft.beat, 'beat'),
    historySteps: number(draft.history, 'historySteps'),
    horizonSteps: number(draft.horizon, 'horizonSteps'),
    trainer: draft.trainer || undefined,
    note: draft.note.trim(),
  };
  return { content, wrong };
}
