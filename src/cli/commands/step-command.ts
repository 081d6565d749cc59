import { optionError } from '../../errors.js';
import type { Machine } from '../../machine/machine-schema.js';
import { type OptionName, optionCatalogue } from '../../options/option-catalogue.js';
import type { OptionRow } from '../../options/option-row.js';
import type { Options } from '../../options/options-schema.js';
import { display } from '../../text/escape.js';
import { cliOptionCatalogue, expectRow, type OptionRows, type RawOptions } from '../argv/cli-catalogue.js';
import { type CommandDescription, defineCommand } from '../argv/define-command.js';
import { directoryArgument } from '../argv/directory-argument.js';
import { toFlagsRows, ValuedArgument } from '../argv/option.js';
import type { Terminal } from '../output/terminal.js';
import type { BenchmarkRequest, Request } from '../request.js';

/** The options of a run that do not depend on its steps, and that may change a result. A report has the seed itself. */
// biome-ignore format: a list of words
const RESULT_OPTIONS = [
  'size', 'runs', 'seconds', 'cache', 'unique', 'verify', 'compressible', 'untilStable', 'maxRuns', 'sharedFile',
  'readOwnFiles',
] as const satisfies readonly OptionName[];
const RUN_OPTIONS = [...RESULT_OPTIONS, 'dir', 'seed', 'stallTimeout', 'barrierTimeout', 'label'] as const;

/** The options of the benchmark that a command with its own list of steps also takes. */
const sharedOptions: OptionRows = {
  ...Object.fromEntries(RUN_OPTIONS.map((name) => [name, optionCatalogue[name]])),
  ...cliOptionCatalogue,
  expect: { ...cliOptionCatalogue.expect, ...expectRow('"rnd4k-q1t1.read.p99<2ms"') },
  json: {
    ...cliOptionCatalogue.json,
    conflicts: ['format'],
    help: 'print the full report as JSON, like --format report',
  },
};

/** Options of several runs or hosts, and of a comparison with a baseline. */
const OF_SEVERAL_RUNS = ['Repetition', 'Multi-host', 'baseline', 'maxRegression', 'force', 'strict'];

interface StepCommand extends Omit<CommandDescription, 'options' | 'request'> {
  /** The options that only this command has. */
  readonly options: OptionRows;
  /** Options of the benchmark that would have no effect, or groups of them. */
  readonly without?: readonly string[];
  /** Changes to the rows of the other options of the benchmark. */
  readonly changes?: Readonly<Record<string, Partial<OptionRow>>>;
  /** True if it measures once, on one host, until a signal ends it. */
  readonly isSingleRun?: true;
  readonly request: (flags: RawOptions, args: readonly string[]) => StepRequest | CommandRequest;
}

type StepRequest = Pick<
  BenchmarkRequest,
  'rawOptions' | 'defaults' | 'adapt' | 'announce' | 'planReference' | 'isStepNeeded' | 'createFormat'
>;
type CommandRequest = Extract<Request, { type: 'command' }>;

/** Defines a command that measures a list of steps of its own, with the options of a benchmark that apply to any steps. */
export function defineStepCommand(command: StepCommand) {
  const { options, without = [], changes = {}, isSingleRun, request, ...description } = command;
  const hidden = isSingleRun ? [...OF_SEVERAL_RUNS, ...without] : without;
  const shared = Object.entries(sharedOptions)
    .filter(([name, { group }]) => !hidden.includes(name) && !hidden.includes(group))
    .map(([name, row]) => [name, { ...row, ...changes[name] }]);
  return defineCommand({
    argument: new ValuedArgument('[DIR]', 'directory to measure (default: the temporary directory)'),
    ...description,
    options: toFlagsRows({ ...options, ...Object.fromEntries(shared) }),
    request(flags, args, parser): Request {
      const own = request(flags, args);
      if ('run' in own) return own;
      const { json, ...rawOptions } = own.rawOptions;
      return {
        type: 'benchmark',
        command: { name: command.name.replace('gobonnie ', ''), options: pickResultOptions(flags, options) },
        ...own,
        rawOptions: {
          ...rawOptions,
          ...(description.argument ? {} : directoryArgument(rawOptions, args, parser)),
          // gobonniego's document has no place for steps.
          ...(json === true && { format: 'report' }),
        },
        adapt: (options, machine, log, isJob) => {
          if (isSingleRun && isJob)
            throw optionError(`${command.name} cannot run in a job`, 'start it on each host on its own');
          const adapted = adaptToMachine(options, machine, log);
          return own.adapt?.(adapted, machine, log, isJob) ?? adapted;
        },
        formats: ['table'],
        isInteractive: true,
        endsOnSignal: isSingleRun,
      };
    },
  });
}

/** Returns the options that may change a result. `own` are the options that only this command has. */
function pickResultOptions(flags: RawOptions, own: OptionRows) {
  const chosen = Object.entries(flags).filter(
    ([name, value]) =>
      value !== false && (Object.hasOwn(own, name) || RESULT_OPTIONS.some((one) => one === name)),
  );
  return Object.fromEntries(chosen.map(([name, value]) => [name, value === true || String(value)]));
}

/** Drops the page cache before reads, and says so, if the filesystem accepts no direct I/O. */
function adaptToMachine(options: Options, machine: Machine, log: Terminal['log']): Options {
  const { steps = [] } = options;
  const { target } = machine;
  const isDirect = (own: boolean | undefined) => own ?? options.direct;
  if (!steps.some(({ direct }) => isDirect(direct)) || target.acceptsDirect !== false) return options;
  log(
    `gobonnie: ${display(target.directory)} accepts no direct I/O, so the page cache is dropped before reads if possible`,
  );
  return { ...options, direct: false, steps: steps.map((step) => ({ ...step, direct: false })) };
}
