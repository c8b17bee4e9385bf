// What a screen reads: it is loading, or it is there, or it could not be had. It reads anew when
// what it depends on changes, and when the service says that something of its kind happened.
import { untrack } from 'svelte';
import { events, type Happened } from './events.svelte.ts';
import { problemFrom, type Problem } from './problem.ts';

export class Query<T> {
  data = $state.raw<T>();
  problem = $state.raw<Problem>();
  loading = $state(true);
  #round = $state(0);

  /** `read` may give undefined: nothing to read yet. */
  constructor(
    read: (signal: AbortSignal) => Promise<T> | undefined,
    concerns: (event: Happened) => boolean = () => false,
  ) {
    $effect(() => {
      void this.#round;
      const control = new AbortController();
      const reading = read(control.signal);
      untrack(() => void this.#follow(reading, control.signal));
      return () => control.abort();
    });
    $effect(() => {
      let waits: ReturnType<typeof setTimeout> | undefined;
      const stop = events.listen((event) => {
        if (event.type !== 'gap' && !concerns(event)) return;
        clearTimeout(waits);
        waits = setTimeout(() => this.again(), 150);
      });
      return () => {
        clearTimeout(waits);
        stop();
      };
    });
  }

  again(): void {
    this.#round += 1;
  }

  async #follow(reading: Promise<T> | undefined, signal: AbortSignal): Promise<void> {
    if (!reading) {
      this.data = undefined;
      this.problem = undefined;
      this.loading = false;
      return;
    }
    this.loading = true;
    try {
      const data = await reading;
      if (signal.aborted) return;
      this.data = data;
      this.problem = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.problem = problemFrom(error);
    }
    this.loading = false;
  }
}

/** What a button does: busy, then done or refused. */
export class Action<A extends unknown[], T> {
  busy = $state(false);
  problem = $state.raw<Problem>();
  result = $state.raw<T>();

  constructor(private readonly work: (...args: A) => Promise<T>) {}

  run = async (...args: A): Promise<T | undefined> => {
    if (this.busy) return undefined;
    this.busy = true;
    this.problem = undefined;
    try {
      this.result = await this.work(...args);
      return this.result;
    } catch (error) {
      this.problem = problemFrom(error);
      return undefined;
    } finally {
      this.busy = false;
    }
  };
  clear(): void {
    this.problem = undefined;
    this.result = undefined;
  }
}
