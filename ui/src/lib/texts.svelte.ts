// Every word of the page comes from one table per language.
import { en, type Key } from '../texts/en/index.ts';
import { zh } from '../texts/zh/index.ts';

export type Language = 'en' | 'zh';
const tables: Record<Language, Record<Key, string>> = { en, zh };

function first(): Language {
  const kept = localStorage.getItem('flyball.language');
  if (kept === 'en' || kept === 'zh') return kept;
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

class Texts {
  language = $state<Language>(first());

  set(language: Language): void {
    this.language = language;
    localStorage.setItem('flyball.language', language);
  }
}

export const texts = new Texts();

/** The text of a key; {name} is replaced by a value. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return fill(tables[texts.language][key], values);
}

/** For keys that are put together, such as "state." + state: the last part when it is not known. */
export function word(group: string, name: string): string {
  const table: Record<string, string> = tables[texts.language];
  return table[`${group}.${name}`] ?? name;
}

function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}
