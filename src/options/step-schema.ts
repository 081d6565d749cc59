import * as z from 'zod';
import {
  blockBytes,
  duration,
  fromDecimal,
  fromGibibytes,
  fromPercentage,
  fromSize,
  inBounds,
  percentage,
  sizeGib,
} from './field-schemas.js';
import { optionCatalogue as rows } from './option-catalogue.js';

/** The phases of --step. They use data that the run has laid out before. */
export const STEP_PHASES = ['read', 'write', 'rewrite', 'random'] as const;
/** How to sync after every write: with a call, or by opening the file with O_DSYNC or O_SYNC. */
export const SYNC_METHODS = ['fsync', 'fdatasync', 'o_dsync', 'o_sync'] as const;

/** One step of `steps`: a phase, and the options that differ from those of the run. */
export const stepSchema = z.strictObject({
  phase: z.enum(STEP_PHASES),
  /** The step's name in results and conditions. */
  name: z
    .string()
    .regex(/^\w[\w.-]*$/)
    .optional(),
  threads: fromDecimal(inBounds(rows.threads).optional()),
  blockSize: fromSize(blockBytes.optional()),
  ioSize: fromSize(inBounds(rows.ioSize).optional()),
  mix: fromPercentage(percentage.optional()),
  direct: z.boolean().optional(),
  fsync: z.boolean().optional(),
  syncPerWrite: z.enum(SYNC_METHODS).optional(),
  /** The duration of a random step; the time limit of the other steps. */
  seconds: fromDecimal(duration.optional()),
  /** The maximum amount of data that the step moves. */
  size: fromGibibytes(sizeGib.optional()),
});

export type StepOptions = z.output<typeof stepSchema>;
export type StepInput = Readonly<z.input<typeof stepSchema>>;

/**
 * Parses the texts of a list of steps, such as `random,io-size=4k,threads=32,direct`. Spaces separate steps in one text.
 * Leaves objects as they are.
 */
export function parseStepTexts(value: unknown): unknown {
  const list = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list)) return list;
  return list.flatMap((one: unknown) =>
    typeof one === 'string' ? one.trim().split(/\s+/).map(parseStepText) : [one],
  );
}

const SWITCH_VALUES: Readonly<Record<string, boolean>> = { true: true, false: false };

/** A word without a value is a switch. */
function parseStepText(text: string): unknown {
  const [phase = '', ...settings] = text.split(',');
  const entries = settings.map((setting): [string, unknown] => {
    const [, name = setting, value] = /^([^=]*)=(.*)$/s.exec(setting) ?? [];
    const key = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [key, value === undefined ? true : (SWITCH_VALUES[value] ?? value)];
  });
  return Object.fromEntries([['phase', phase], ...entries]);
}
