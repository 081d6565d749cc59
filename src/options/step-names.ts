import { formatShortSize } from '../text/units.js';
import type { StepOptions } from './step-schema.js';

export type NamedStep = StepOptions & { readonly name: string };

/** Everything that a run measures. */
export type MeasuredSteps = readonly { readonly name: string; readonly phase: string }[];

/** The options that choose what a run measures, of a request or of a report. */
export interface MeasuredOptions {
  readonly steps?: MeasuredSteps | undefined;
  readonly phases: readonly string[];
}

/** The options that a default name describes. */
type NamedOptions = Readonly<Record<'blockSize' | 'ioSize' | 'mix', number>>;

/** Gives each step a name, by default from its parameters: `rnd4k-t32.read`. */
export function nameSteps(steps: readonly StepOptions[], options: NamedOptions): NamedStep[] {
  return steps.map((step) => ({ ...step, name: step.name ?? defaultName(step, options) }));
}

function defaultName({ phase, threads, ...own }: StepOptions, options: NamedOptions): string {
  const { blockSize = options.blockSize, ioSize = options.ioSize, mix = options.mix } = own;
  const size = phase === 'random' ? `rnd${formatShortSize(ioSize)}` : `seq${formatShortSize(blockSize)}`;
  const depth = threads === undefined ? '' : `-t${threads}`;
  return `${size}${depth}.${phase === 'random' ? mixName(mix) : phase}`;
}

function mixName(readPercent: number): string {
  if (readPercent === 100) return 'read';
  return readPercent === 0 ? 'write' : `mix${readPercent}`;
}

/** Returns the name and the phase of everything that a run with options, or with those of a report, measures. */
export function listSteps({ steps, phases }: MeasuredOptions): MeasuredSteps {
  return steps ?? phases.map((phase) => ({ name: phase, phase }));
}
