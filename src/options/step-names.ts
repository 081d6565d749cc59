import { optionError } from '../errors.js';
import { flag, msg } from '../text/message-template.js';
import { formatShortSize } from '../text/units.js';
import type { Options } from './options-schema.js';
import type { StepOptions } from './step-schema.js';

/** A step with its name, which is unique in a run. */
export type NamedStep = StepOptions & { readonly name: string };

/** Gives each step a name, by default from its parameters: `rnd4k-t32.read`. */
export function nameSteps(steps: readonly StepOptions[], options: Options): NamedStep[] {
  const named = steps.map((step) => ({ ...step, name: step.name ?? defaultName(step, options) }));
  const names = named.map(({ name }) => name);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated === undefined) return named;
  throw optionError(
    msg`two values of ${flag('steps')} are called ${repeated}`,
    `give one of them another name, such as name=${repeated}-2`,
  );
}

function defaultName({ phase, threads, ...own }: StepOptions, options: Options): string {
  const { blockSize = options.blockSize, ioSize = options.ioSize, mix = options.mix } = own;
  const size = phase === 'random' ? `rnd${formatShortSize(ioSize)}` : `seq${formatShortSize(blockSize)}`;
  const depth = threads === undefined ? '' : `-t${threads}`;
  return `${size}${depth}.${phase === 'random' ? mixName(mix) : phase}`;
}

function mixName(readPercent: number): string {
  if (readPercent === 100) return 'read';
  return readPercent === 0 ? 'write' : `mix${readPercent}`;
}

/** Returns the name and the phase of everything that a run measures. */
export function measuredSteps(
  options: Options,
): readonly { readonly name: string; readonly phase: string }[] {
  const { steps, phases } = options;
  return steps ? nameSteps(steps, options) : phases.map((phase) => ({ name: phase, phase }));
}
