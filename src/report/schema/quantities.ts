import * as z from 'zod';

export const count = z.int().nonnegative();
export const positiveInteger = z.int().positive();
export const bytes = count;
export const seconds = z.number().nonnegative();
export const nanoseconds = z.number().nonnegative();
/** Statistics of larger rates could overflow. */
const MAX_RATE = 1e24;
export const rate = z.number().nonnegative().max(MAX_RATE);
