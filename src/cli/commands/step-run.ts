import type { Command } from 'commander';
import type * as z from 'zod';
import { optionError } from '../../errors.js';
import { PLAIN_SCREEN, type Screen } from '../../format/human/screen.js';
import type { Machine } from '../../machine/machine-schema.js';
import { type OptionName, optionCatalogue } from '../../options/option-catalogue.js';
import type { OptionRow } from '../../options/option-row.js';
import type { Options } from '../../options/options-schema.js';
import { invalidOptionError } from '../../options/validate-options.js';
import type { Report } from '../../report/schema/report.js';
import { display } from '../../text/escape.js';
import { cliOptionCatalogue, expectRow, type OptionRows, type RawOptions } from '../argv/cli-catalogue.js';
import { directoryArgument } from '../argv/directory-argument.js';
import type { Terminal } from '../output/terminal.js';
import type { BenchmarkRequest, PlannedRun } from '../request.js';

/** The options of a run that do not depend on its steps. */
// biome-ignore format: a list of words
const RUN_OPTIONS: readonly OptionName[] = [
  'dir', 'size', 'runs', 'seconds', 'seed', 'cache', 'unique', 'verify', 'compressible', 'untilStable', 'maxRuns',
  'stallTimeout', 'barrierTimeout', 'sharedFile', 'readOwnFiles', 'label',
];

/** The options of the benchmark that a command with its own list of steps also takes. */
export const stepRunOptions: OptionRows = {
  ...Object.fromEntries(RUN_OPTIONS.map((name) => [name, optionCatalogue[name]])),
  ...cliOptionCatalogue,
  expect: expectRow('"rnd4k-q1t1.read.p99<2ms"'),
  json: {
    ...cliOptionCatalogue.json,
    conflicts: ['format'],
    help: 'print the full report as JSON, like --format report',
  },
};

/** Options of several runs or hosts, and of a comparison with a baseline. */
// biome-ignore format: a list of words
export const SINGLE_RUN_ONLY: readonly string[] = [
  'runs', 'seconds', 'untilStable', 'maxRuns', 'baseline', 'maxRegression', 'force', 'strict',
  'sharedFile', 'readOwnFiles', 'barrierTimeout', 'rendezvous', 'ranks', 'rank',
];

/** Returns these options without some that would have no effect. */
export function stepRunOptionsWithout(names: readonly string[]): OptionRows {
  return Object.fromEntries(Object.entries(stepRunOptions).filter(([name]) => !names.includes(name)));
}

/** Returns the options of a command with tests of its own. gobonniego's document has no place for them, so --json is the report. */
export function ownTestOptions(
  { json, ...flags }: RawOptions,
  args: readonly string[],
  command: Command,
): RawOptions {
  const format = json === true ? { format: 'report' } : {};
  return { ...flags, ...directoryArgument(flags, args, command), ...format };
}

/** How a command plans its own steps and renders their report. */
interface OwnRun extends Pick<BenchmarkRequest, 'rawOptions' | 'defaults'> {
  readonly name: string;
  readonly plan: (
    options: Options,
    machine: Machine,
    terminal: Pick<Terminal, 'log' | 'process'>,
  ) => PlannedRun;
  readonly render: (report: Report, screen: Screen) => string;
}

/** Returns the request of a command that measures its own steps once, on one host, until a signal ends it. */
export function singleRunRequest({ name, plan, render, ...options }: OwnRun): BenchmarkRequest {
  return {
    type: 'benchmark',
    ...options,
    planRun: async (options, machine, terminal, jobPosition) => {
      if (jobPosition) throw optionError(`${name} cannot run in a job`, 'start it on each host on its own');
      return plan(options, machine, terminal);
    },
    createFormat: (screen) => ({ end: (report) => render(report, screen ?? PLAIN_SCREEN) }),
    formats: [],
    isInteractive: true,
    endsOnSignal: true,
  };
}

/** Validates a command's own flags. Throws a GobonnieError for the first invalid one. */
export function parseOwnOptions<Type extends z.ZodType>(type: Type, rows: OptionRows, raw: RawOptions) {
  const { data, error } = type.safeParse(raw);
  if (!error) return data;
  const name = String(error.issues[0]?.path[0]);
  throw invalidOptionError(name, rows[name] as OptionRow, raw[name]);
}

/** Drops the page cache before reads, and says so, if the filesystem accepts no direct I/O. */
export function adaptToMachine(options: Options, machine: Machine, log: Terminal['log']): Options {
  const { steps = [] } = options;
  const { target } = machine;
  const isDirect = (own: boolean | undefined) => own ?? options.direct;
  if (!steps.some(({ direct }) => isDirect(direct)) || target.acceptsDirect !== false) return options;
  log(
    `gobonnie: ${display(target.directory)} accepts no direct I/O, so the page cache is dropped before reads if possible`,
  );
  return { ...options, direct: false, steps: steps.map((step) => ({ ...step, direct: false })) };
}
