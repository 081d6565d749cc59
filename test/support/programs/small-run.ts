import { optionRows } from '../../../src/cli/argv/cli-catalogue.js';
import { findMissingPhase } from '../../../src/plan/option-effects.js';
import { phases } from '../../../workers/phases/phase-catalogue.js';

/** A very short run, for the library and for the command line. */
export const SMALL_OPTIONS = { size: 0.01, iopsDuration: 0.1, threads: 2 } as const;

export const SMALL_FLAGS = ['--size', '0.01', '--iops-duration', '0.1', '--threads', '2'] as const;

/** Omits flags that have no effect in the phases of --phases, because gobonnie rejects them. */
export function omitFlagsWithoutEffect(args: readonly string[]): readonly string[] {
  const names = args[args.lastIndexOf('--phases') + 1]?.split(',') ?? [];
  if (!args.includes('--phases')) return args;
  const planned = phases.filter(({ name }) => names.includes(name));
  return args.filter((_, at) => {
    const before = toOption(args[at - 1]);
    const takesValue = before !== null && typeof optionRows[before]?.argument === 'string';
    const option = takesValue ? before : toOption(args[at]);
    return option === null || findMissingPhase(option, planned, false) === null;
  });
}

/** Returns `ioSize` for `--io-size`. Null for other words. */
function toOption(word = ''): string | null {
  if (!word.startsWith('--')) return null;
  return word.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
