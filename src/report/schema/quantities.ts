import * as z from 'zod';

/** Stops at the first invalid value: a damaged file may contain millions. */
export const ABORT_EARLY = { abort: true } as const;

export const count = z.int(ABORT_EARLY).nonnegative(ABORT_EARLY);
export const positiveInteger = z.int(ABORT_EARLY).positive(ABORT_EARLY);
export const bytes = count;
export const seconds = z.number().nonnegative(ABORT_EARLY);
export const nanoseconds = z.number().nonnegative(ABORT_EARLY);
export const rate = z.number().nonnegative(ABORT_EARLY);
