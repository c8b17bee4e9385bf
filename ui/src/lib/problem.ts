/** What the service says when something could not be done (RFC 9457). */
export interface Problem {
  status: number;
  code: string;
  title: string;
  detail: string;
  hint?: string;
  retryable: boolean;
  errors: { pointer: string; code: string; detail: string }[];
}

export class Refusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title);
  }
}

const record = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A body of any shape as a Problem: a proxy in between may answer in its own way. */
export function problemOf(status: number, body: unknown): Problem {
  const b = record(body);
  const errors = Array.isArray(b.errors) ? b.errors : [];
  return {
    status,
    code: text(b.code) || `HTTP_${status}`,
    title: text(b.title),
    detail: text(b.detail),
    hint: text(b.hint) || undefined,
    retryable: b.retryable === true,
    errors: errors.map(record).map((e) => ({
      pointer: text(e.pointer),
      code: text(e.code),
      detail: text(e.detail),
    })),
  };
}

/** Anything that was thrown, as a Problem; `undefined` when the page itself gave up the request. */
export function problemFrom(error: unknown): Problem | undefined {
  if (error instanceof Refusal) return error.problem;
  if (error instanceof DOMException && error.name === 'AbortError') return undefined;
  const lost = error instanceof TypeError;
  return {
    status: 0,
    code: lost ? 'NO_CONNECTION' : 'PAGE_FAILED',
    title: '',
    detail: error instanceof Error ? error.message : String(error),
    retryable: lost,
    errors: [],
  };
}

/** What a problem says of one field, by the name of the field. */
export function fieldError(problem: Problem | undefined, field: string): string | undefined {
  return problem?.errors.find((e) => e.pointer === `/${field}` || e.pointer.startsWith(`/${field}/`))
    ?.detail;
}
