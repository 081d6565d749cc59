import type { Command } from 'commander';
import type { Machine } from '../../machine/machine-schema.js';
import type { Options } from '../../options/options-schema.js';
import { display } from '../../text/escape.js';
import { cliOptionCatalogue, type OptionRows, type RawOptions, settingRows } from '../argv/cli-catalogue.js';
import { directoryArgument } from '../argv/directory-argument.js';
import type { Terminal } from '../output/terminal.js';

/** A command with its own list of steps sets the options of these groups itself. */
export const STEP_GROUPS: readonly string[] = ['What to measure', 'I/O', 'Small files and single bytes'];
/** Options about all of the data, which a command with its own list of steps also takes. */
const DATA_OPTIONS: readonly string[] = ['dir', 'size', 'seed', 'cache', 'compressible', 'unique', 'verify'];

/** The options of the benchmark that a command with its own list of steps also takes. */
export const stepRunOptions: OptionRows = {
  ...Object.fromEntries(
    Object.entries(settingRows).filter(
      ([name, { group }]) =>
        DATA_OPTIONS.includes(name) || (!STEP_GROUPS.includes(group) && name !== 'sharedDir'),
    ),
  ),
  json: { ...cliOptionCatalogue.json, conflicts: ['format'] },
};

/** Returns the options of a command with tests of its own. gobonniego's document has no place for them, so --json is the report. */
export function ownTestOptions(
  { json, ...flags }: RawOptions,
  args: readonly string[],
  command: Command,
): RawOptions {
  const format = json === true ? { format: 'report' } : {};
  return { ...flags, ...directoryArgument(flags, args, command), ...format };
}

/** Says what this machine cannot do. Without direct I/O, the page cache is dropped before reads. */
export function adaptToMachine(options: Options, machine: Machine, log: Terminal['log']): Options {
  const { steps = [] } = options;
  const { target, uringProblem } = machine;
  if (uringProblem && steps.some(({ depth = 1 }) => depth > 1))
    log(
      `gobonnie: each operation in flight takes a thread, because io_uring cannot be used: ${uringProblem}`,
    );
  const isDirect = (own: boolean | undefined) => own ?? options.direct;
  if (!steps.some(({ direct }) => isDirect(direct)) || target.acceptsDirect !== false) return options;
  log(
    `gobonnie: ${display(target.directory)} accepts no direct I/O, so the page cache is dropped before reads if possible`,
  );
  return { ...options, direct: false, steps: steps.map((step) => ({ ...step, direct: false })) };
}
