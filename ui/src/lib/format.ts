// Numbers, times and durations as people read them. Never a number without its unit.

/** Shortest text with `digits` significant digits; plain up to six digits before the point. */
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('-', '−').replace('e-', 'e−').replace('e+', 'e');
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return minus(trim(value.toFixed(Math.min(decimals, 12))));
}

const trim = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
const minus = (text: string): string => text.replace(/^-/, '−');

/** With a no-break space between number and unit; a unit that is not known is said by the caller. */
export function quantity(value: number | null | undefined, unit: string, digits = 4): string {
  const text = number(value, digits);
  return unit && text !== '–' ? `${text}\u00A0${unit}` : text;
}

export function count(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  return minus(Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, '\u202F'));
}

export function percent(share: number | null | undefined, digits = 1): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return '–';
  return `${minus(trim((100 * share).toFixed(digits)))}\u00A0%`;
}

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let at = 0;
  let size = value;
  while (size >= 1000 && at < units.length - 1) {
    size /= 1000;
    at += 1;
  }
  return `${number(size, 3)}\u00A0${units[at]}`;
}

const kUnits: [string, number][] = [
  ['d', 86_400e6],
  ['h', 3_600e6],
  ['min', 60e6],
  ['s', 1e6],
  ['ms', 1e3],
  ['us', 1],
];

/** Microseconds as "80 ms", "1.5 s", "2 h". */
export function duration(us: number | null | undefined): string {
  if (us === null || us === undefined || !Number.isFinite(us)) return '–';
  if (us === 0) return '0\u00A0s';
  const sign = us < 0 ? '−' : '';
  const size = Math.abs(us);
  const [unit, length] = kUnits.find(([, l]) => size >= l) ?? kUnits[kUnits.length - 1]!;
  return `${sign}${number(size / length, 3)}\u00A0${unit === 'us' ? 'µs' : unit}`;
}

/** "80ms", "1.5 s", "2h" → microseconds; undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  const found = /^\s*(\d+(?:\.\d+)?)\s*(us|µs|ms|s|min|m|h|d)\s*$/.exec(text);
  if (!found) return undefined;
  const name = found[2] === 'µs' ? 'us' : found[2] === 'm' ? 'min' : found[2];
  const unit = kUnits.find(([n]) => n === name)!;
  const value = Math.round(Number(found[1]) * unit[1]);
  return value > 0 ? value : undefined;
}

const two = (n: number): string => String(n).padStart(2, '0');

/** A record without a time column begins in 1970: its times are shown as elapsed. */
export const isElapsed = (us: number): boolean => us < 366 * 86_400e6 && us > -366 * 86_400e6;

/** Local time with seconds, "2026-03-01 08:00:00"; fractions only where there are some. */
export function time(us: number | null | undefined): string {
  if (us === null || us === undefined || !Number.isFinite(us)) return '–';
  if (isElapsed(us)) return elapsed(us);
  const d = new Date(us / 1000);
  const fraction = Math.round((us % 1e6) / 1000);
  const day = `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
  const clock = `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
  return `${day} ${clock}${fraction ? `.${String(fraction).padStart(3, '0')}` : ''}`;
}

/** When something was done, to the second. */
export const when = (us: number | null | undefined): string =>
  time(us === null || us === undefined ? us : Math.floor(us / 1e6) * 1e6);

/** "+1 d 02:03:04.080": time since the beginning of a record without clock. */
export function elapsed(us: number): string {
  const sign = us < 0 ? '−' : '+';
  const size = Math.abs(us);
  const days = Math.floor(size / 86_400e6);
  const s = Math.floor(size / 1e6) % 86_400;
  const ms = Math.round((size % 1e6) / 1000);
  const clock = `${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
  return `${sign}${days ? `${days}\u00A0d ` : ''}${clock}${ms ? `.${String(ms).padStart(3, '0')}` : ''}`;
}

/** RFC 3339 → microseconds. */
export function fromIso(text: string): number {
  const found = /\.(\d+)/.exec(text);
  const micro = found ? Number(found[1]!.padEnd(6, '0').slice(0, 6)) : 0;
  return Date.parse(text.replace(/\.\d+/, '')) * 1000 + micro;
}

export function toIso(us: number): string {
  const micro = ((us % 1e6) + 1e6) % 1e6;
  const whole = new Date((us - micro) / 1000).toISOString().replace('.000Z', '');
  return micro ? `${whole}.${String(micro).padStart(6, '0')}Z` : `${whole}Z`;
}
