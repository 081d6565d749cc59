import * as z from 'zod';

/** Something that the reader of a figure should know, and the way out. */
export const warningSchema = z.object({
  code: z.enum(['size-cut', 'cache-not-emptied']),
  message: z.string(),
  hint: z.string(),
});

/** One phase of one run: what all workers did together, from the gate to the last finisher. */
export const measurementSchema = z.object({
  phase: z.string(),
  title: z.string(),
  figure: z.enum(['bytes', 'operations']),
  bytes: z.int().nonnegative(),
  operations: z.int().nonnegative(),
  seconds: z.number().nonnegative(),
  bytesPerSecond: z.number().nonnegative(),
  operationsPerSecond: z.number().nonnegative(),
});

export const runSchema = z.object({
  startedAt: z.iso.datetime(),
  /** A run that was stopped keeps the phases that it completed. */
  state: z.enum(['completed', 'incomplete']),
  measurements: z.array(measurementSchema),
});

export const outcomeSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('completed') }),
  z.object({ state: z.literal('aborted'), reason: z.string() }),
  z.object({ state: z.literal('failed'), code: z.string(), message: z.string(), hint: z.string() }),
]);

/** The whole answer. Only ever extended within a major version. */
export const reportSchema = z.object({
  schema: z.literal('gobonnie/1'),
  version: z.string(),
  startedAt: z.iso.datetime(),
  options: z.object({
    threads: z.int(),
    /** As it was asked for; sizeBytes is that in whole blocks. */
    sizeGib: z.number(),
    sizeBytes: z.int(),
    runs: z.int(),
    minimumSeconds: z.number(),
    iopsDurationSeconds: z.number(),
    blockSizeBytes: z.int(),
    ioSizeBytes: z.int(),
    seed: z.int(),
  }),
  machine: z.object({
    platform: z.string(),
    nodeVersion: z.string(),
    cores: z.int(),
    memoryBytes: z.int(),
    memoryLimitBytes: z.int(),
  }),
  target: z.object({
    /** Where the data lay; the scratch directory itself is gone. */
    scratchDirectory: z.string(),
    directory: z.string(),
    filesystem: z.string().nullable(),
    mount: z.string().nullable(),
    device: z.string().nullable(),
    totalBytes: z.number(),
    availableBytes: z.number(),
  }),
  runs: z.array(runSchema),
  warnings: z.array(warningSchema),
  outcome: outcomeSchema,
});

export type Warning = z.infer<typeof warningSchema>;
export type Measurement = z.infer<typeof measurementSchema>;
export type Run = z.infer<typeof runSchema>;
export type Outcome = z.infer<typeof outcomeSchema>;
export type Report = z.infer<typeof reportSchema>;
