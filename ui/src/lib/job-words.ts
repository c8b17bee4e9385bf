import type { JobState } from './records.ts';

export const kEnded: readonly JobState[] = ['done', 'failed', 'cancelled', 'timeout', 'interrupted'];
export const kRetryable: readonly JobState[] = ['failed', 'cancelled', 'timeout', 'interrupted'];

export function jobMark(state: JobState, refused: boolean): 'good' | 'warn' | 'bad' | 'wait' | 'run' {
  if (state === 'done') return 'good';
  if (state === 'queued') return 'wait';
  if (state === 'cancelled') return 'warn';
  if (refused || kEnded.includes(state)) return 'bad';
  return 'run';
}
