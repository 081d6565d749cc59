import { type Course, type Place, turnsOf } from './course.js';
import type { Kind } from './kind.js';

/** Who makes a call on the run's files: the thread of libuv's pool, or the worker. */
export type Role = 'pool' | 'worker';

/** A call that can be made to fail, as a run in which nothing failed made it. */
export interface Target {
  readonly course: Course;
  /** How many figures were told before it. */
  readonly figures: number;
  readonly role: Role;
  readonly kind: Kind;
  readonly call: string;
  /** Its number among the calls of this name, counted as the course counts. */
  readonly number: number;
  readonly place: Place;
  /** Below the site's home. */
  readonly file: string;
}

/** Whether what fails is a part of the report file, and no phase's fault. */
export function isOfReport({ file }: Pick<Target, 'file'>): boolean {
  return file.startsWith('reports');
}

/** Whether what fails is the removal of the run's files at its end. */
export function isRemoval({ course, figures, role, kind }: Omit<Target, 'place'>): boolean {
  const isOver = figures === turnsOf(course).length;
  return isOver && role === 'pool' && (kind === 'unlink' || kind === 'rmdir');
}

export function described({ course, figures, role, place, call, number, file }: Target): string {
  const turn = turnsOf(course)[figures] ?? 'clean-up';
  return `${course.name}, ${turn} after ${figures} figures: the ${role}'s ${place} ${call} (${number}), on ${file}`;
}
