// A long list as it comes: the first page is shown while the next ones are read.
import { untrack } from 'svelte';
import { events, type Happened } from './events.svelte.ts';
import { problemFrom, type Problem } from './problem.ts';

interface Page {
  items: unknown[];
  nextCursor?: string;
}

export class Pages<T> {
  rows = $state.raw<T[]>([]);
  problem = $state.raw<Problem>();
  loading = $state(true);
  #round = $state(0);

  /** `read` gives undefined when there is nothing to read yet. Stops at `most` rows. */
  constructor(
    read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page> | undefined,
    concerns: (event: Happened) => boolean = () => false,
    most = 50_000,
  ) {
    $effect(() => {
      void this.#round;
      const control = new AbortController();
      const first = read(undefined, control.signal);
      untrack(() => void this.#follow(first, read, control.signal, most));
      return () => control.abort();
    });
    $effect(() => events.listen((event) => {
      if (event.type === 'gap' || concerns(event)) this.again();
    }));
  }

  again(): void {
    this.#round += 1;
  }

  async #follow(
    first: Promise<Page> | undefined,
    read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page> | undefined,
    signal: AbortSignal,
    most: number,
  ): Promise<void> {
    this.loading = first !== undefined;
    this.problem = undefined;
    let rows: T[] = [];
    if (!first) this.rows = rows;
    try {
      for (let next: Promise<Page> | undefined = first; next; ) {
        const page: Page = await next;
        if (signal.aborted) return;
        rows = [...rows, ...(page.items as T[])];
        this.rows = rows;
        const more = page.nextCursor !== undefined && rows.length < most;
        next = more ? read(page.nextCursor, signal) : undefined;
      }
    } catch (error) {
      if (signal.aborted) return;
      this.problem = problemFrom(error);
    }
    this.loading = false;
  }
}
