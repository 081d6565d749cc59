import * as z from 'zod';
import { measurementSchema, memberSchema } from './measured.js';
import { atLeastOne, bytes } from './quantities.js';

/** Whose data the members read. */
const READ_BACKS = ['another-host', 'one-host', 'no-shift', 'not-shared'] as const;

/** Of a job of several processes, whose figures are those of all together. */
export const jobSchema = z.object({
  /** For gobonnie clean --job. Absent in older reports. */
  id: z.string().optional(),
  members: atLeastOne,
  hosts: z.array(z.object({ name: z.string(), members: atLeastOne, cores: atLeastOne, memoryBytes: bytes })),
  /** Why each member reads what it has written itself; `another-host` if it does not. Absent in older reports. */
  readBack: z.enum(READ_BACKS).optional(),
  /** The phase in which a member failed, and what the others did in it. It has no figure. */
  incomplete: z
    .object({
      ...measurementSchema.pick({ phase: true, title: true, figure: true }).shape,
      members: z.array(memberSchema),
    })
    .optional(),
});
