import { type Course, type Place, turnsOf } from './course.js';
import type { Kind } from './kind.js';

/** The thread that makes a call on the run's files: that of libuv's pool, or the worker. */
export type Role = 'pool' | 'worker';

/** A call that can be made to fail, as seen in a run without a fault. */
export interface Target {
  readonly course: Course;
  /** How many figures were printed before it. */
  readonly figures: number;
  readonly role: Role;
  readonly kind: Kind;
  readonly call: string;
  /** Its number among the calls of this name, counted from `since` of the course. */
  readonly number: number;
  readonly place: Place;
  /** Relative to the site's home. */
  readonly file: string;
}

/** Whether the call is on the report file, and not part of a phase. */
export function isOfReport({ file }: Pick<Target, 'file'>): boolean {
  return file.startsWith('reports');
}

/** Whether the call removes the run's files at its end. */
export function isRemoval({ course, figures, role, kind }: Omit<Target, 'place'>): boolean {
  const isOver = figures === turnsOf(course).length;
  return isOver && role === 'pool' && (kind === 'unlink' || kind === 'rmdir');
}

export function described({ course, figures, role, place, call, number, file }: Target): string {
  const turn = turnsOf(course)[figures] ?? 'clean-up';
  return `${course.name}, ${turn} after ${figures} figures: the ${role}'s ${place} ${call} (${number}), on ${file}`;
}
