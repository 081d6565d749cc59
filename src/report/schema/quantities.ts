import * as z from 'zod';

/** Stops at the first wrong value: a damaged file may hold millions of them. */
export const AT_ONCE = { abort: true } as const;

export const count = z.int(AT_ONCE).nonnegative(AT_ONCE);
export const atLeastOne = z.int(AT_ONCE).positive(AT_ONCE);
export const bytes = count;
export const seconds = z.number().nonnegative(AT_ONCE);
export const nanoseconds = z.number().nonnegative(AT_ONCE);
export const rate = z.number().nonnegative(AT_ONCE);
