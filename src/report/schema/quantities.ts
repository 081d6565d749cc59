import * as z from 'zod';

/** Stops at the first wrong value: a damaged file may hold millions of them. */
export const ABORT_EARLY = { abort: true } as const;

export const count = z.int(ABORT_EARLY).nonnegative(ABORT_EARLY);
export const positiveInteger = z.int(ABORT_EARLY).positive(ABORT_EARLY);
export const bytes = count;
export const seconds = z.number().nonnegative(ABORT_EARLY);
export const nanoseconds = z.number().nonnegative(ABORT_EARLY);
export const rate = z.number().nonnegative(ABORT_EARLY);
