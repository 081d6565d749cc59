import * as z from 'zod';
import { measurementSchema, rankResultSchema } from './measurement-schema.js';
import { bytes, positiveInteger } from './quantities.js';

/** Whose data the ranks read. */
const READ_SOURCES = ['next-host', 'own-single-host', 'own-requested', 'own-not-shared'] as const;

/** A job of several processes. Its results combine all processes. */
export const jobSchema = z.object({
  /** For gobonnie clean --job. Absent in older reports. */
  id: z.string().optional(),
  ranks: positiveInteger,
  hosts: z.array(
    z.object({ name: z.string(), ranks: positiveInteger, cores: positiveInteger, memoryBytes: bytes }),
  ),
  /** Why each rank reads what it has written itself; `next-host` if it does not. Absent in older reports. */
  readSource: z.enum(READ_SOURCES).optional(),
  /** The phase in which a rank failed, and what the others did in it. It has no figure. */
  failedPhase: z
    .object({
      ...measurementSchema.pick({ phase: true, title: true, primaryRate: true }).shape,
      ranks: z.array(rankResultSchema),
    })
    .optional(),
});
