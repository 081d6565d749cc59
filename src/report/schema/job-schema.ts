import * as z from 'zod';
import { measurementSchema, rankResultSchema } from './measurement-schema.js';
import { bytes, positiveInteger } from './quantities.js';

/** Which data the ranks read. */
const READ_SOURCES = ['next-host', 'own-single-host', 'own-requested', 'own-not-shared'] as const;

/** A job of several processes. The results combine all ranks. */
export const jobSchema = z.object({
  ranks: positiveInteger,
  hosts: z.array(
    z.object({ name: z.string(), ranks: positiveInteger, cores: positiveInteger, memoryBytes: bytes }),
  ),
  /** Why each rank reads its own files; `next-host` if it does not. Absent in older reports. */
  readSource: z.enum(READ_SOURCES).optional(),
  /** The phase in which a rank failed, with the work of the other ranks. It has no result. */
  failedPhase: z
    .object({
      ...measurementSchema.pick({ phase: true, title: true, primaryRate: true }).shape,
      ranks: z.array(rankResultSchema),
    })
    .optional(),
});
