import { rejectJob } from '../../cluster/launcher.js';
import { findWorstVerdict } from '../../compare/comparison.js';
import { optionError } from '../../errors.js';
import { createComparisonFormats } from '../../format/human/comparison-format.js';
import type { Screen } from '../../format/human/screen.js';
import { renderReports, reportFormats } from '../../format/index.js';
import { optionCatalogue } from '../../options/option-catalogue.js';
import type { OptionRow } from '../../options/option-row.js';
import type { Options } from '../../options/options-schema.js';
import { plan, type RunPlan } from '../../plan/plan.js';
import type { RunEvent } from '../../report/events/event-record.js';
import type { Report } from '../../report/schema/report.js';
import { emptyReport } from '../../run/empty-report.js';
import { runInterleaved } from '../../run/interleave.js';
import { display } from '../../text/escape.js';
import { flag, msg } from '../../text/message-template.js';
import { GIB } from '../../text/units.js';
import { isUrgent } from '../../warnings/warning-catalogue.js';
import {
  cliOptionCatalogue,
  configCatalogue,
  type OptionRows,
  type RawOptions,
} from '../argv/cli-catalogue.js';
import type { CliOptions } from '../argv/cli-options.js';
import { defineCommand } from '../argv/define-command.js';
import { type FlagNames, translateError } from '../argv/dialect.js';
import { toFlagsRow, ValuedArgument } from '../argv/option.js';
import { addOriginsToError } from '../config/layers.js';
import { COMPARED, readSettings, type Settings } from '../config/settings.js';
import { EXIT_CODES } from '../exit-codes.js';
import { stallLine } from '../interruption.js';
import { COMPARISON_OPTIONS, comparisonFormat, comparisonText } from '../output/comparison-text.js';
import { writeGithubReport } from '../output/github-report.js';
import { formatLogTime, type LogFormatter, logLines, logWarningLines } from '../output/log-format.js';
import type { Terminal } from '../output/terminal.js';
import { directoryWarningLines } from '../output/terminal-messages.js';
import { comparisonExitCode } from '../pass-criteria.js';
import { initialRunCounter } from '../progress/state.js';
import { COMMAND_OPTIONS, compareCommand } from './ab-command.js';
import {
  areAbDecided,
  collectAnnotations,
  combineReports,
  findAbWinners,
  runLine,
  sharedDeviceLines,
} from './ab-results.js';
import { conclude, openSession, printPlans, runPreflight, type Session } from './session.js';

/** Messages name the argument, because ab has no --dir. */
const FLAG_NAMES: FlagNames = { names: { dir: 'DIR' }, hasOtherFlags: true };

const { dir, runs, ...benchmarkOptions } = optionCatalogue;
/** ab is never one of several ranks. */
const otherOptions = Object.fromEntries(
  Object.entries<OptionRow>(benchmarkOptions).filter(([, { group }]) => group !== 'Multi-host'),
);
const { verbose, quiet, out, dryRun, maxRegression, strict, allowCached, noGithub, color, noColor } =
  cliOptionCatalogue;

/** Options with the same meaning and the same sources as in a benchmark. */
const SHARED_OPTIONS: OptionRows = {
  runs: { ...runs, defaultText: `${COMPARED.runs}, and more until every result is decided` },
  ...otherOptions,
  verbose,
  quiet,
  dryRun,
  color,
  allowCached,
  noGithub,
  noColor,
};

/** Options that do not apply to a command. */
const BENCHMARK_ONLY: OptionRows = Object.fromEntries(
  Object.entries(SHARED_OPTIONS).filter(
    ([name, { group }]) =>
      ['What to measure', 'I/O', 'Small files and single bytes'].includes(group) && name !== 'cache',
  ),
);

/** Options that a benchmark lacks, or that work differently there. */
const AB_OPTIONS: OptionRows = {
  ...COMPARISON_OPTIONS,
  maxRegression: {
    ...maxRegression,
    help: 'exit code 3 if another directory is slower than the first by more than this',
    defaultText: 'no limit',
  },
  strict,
  out: {
    ...out,
    help:
      'also write FILE, in the format of its extension, such as .json (a list of full reports, one per directory) or ' +
      '.md (the comparison first); repeatable',
  },
};

export const ab = defineCommand({
  name: 'gobonnie ab',
  usage: '[options] DIR_A DIR_B...\n       gobonnie ab [options] DIR_A DIR_B... -- COMMAND',
  description:
    'Measures several directories in turn, run by run, and finds the fastest for each metric. With a command, runs it in ' +
    'turn in a copy of your files in each directory, and says what a faster disk would save.',
  argument: new ValuedArgument('[DIR...]', 'the directories'),
  options: Object.entries({ ...SHARED_OPTIONS, ...AB_OPTIONS, ...COMMAND_OPTIONS, ...configCatalogue }).map(
    ([name, row]) => toFlagsRow(name, row),
  ),
  isGoStyle: true,
  takesCommand: true,
  examples: [
    {
      command: 'gobonnie ab /mnt/volume /var/tmp --size 1',
      comment: "a volume against a container's own filesystem",
    },
    { command: 'gobonnie ab /mnt/ssd /mnt/hdd /dev/shm --size 0.5', comment: 'any number of directories' },
    { command: 'gobonnie ab . . --size 1', comment: 'how much the results of one directory vary' },
    { command: 'gobonnie ab . /dev/shm -- npm ci', comment: 'what a faster disk would save at most' },
  ],
  notes:
    'The directories must exist. gobonnie measures each directory once, then again in the opposite order, and so on, so a ' +
    "noisy host affects all directories alike. It names a winner only if Student's paired t-test shows it at a confidence level of 95 % over " +
    'all results together.',
  request(rawOptions, directories, _command, words) {
    if (directories.length < 2)
      throw optionError('ab needs two or more directories', 'type gobonnie ab DIR_A DIR_B');
    rejectStrayOptions(rawOptions, words);
    return { type: 'command', run: (terminal) => runAb(directories, words, rawOptions, terminal) };
  },
});

/** Rejects options of the benchmark with a command, and options of a command without one. */
function rejectStrayOptions(rawOptions: RawOptions, words: readonly string[]): void {
  const given = Object.keys(rawOptions);
  const stray = given.find((name) =>
    words.length > 0 ? Object.hasOwn(BENCHMARK_ONLY, name) : Object.hasOwn(COMMAND_OPTIONS, name),
  );
  if (stray === undefined) return;
  const option = flag(stray);
  throw words.length > 0
    ? optionError(msg`${option} does not apply to a command`, 'leave it out')
    : optionError(msg`${option} needs a command`, 'type gobonnie ab DIR_A DIR_B -- COMMAND');
}

/** Reads the options and measures; errors name each option as the user wrote it. */
async function runAb(
  directories: readonly string[],
  words: readonly string[],
  flags: RawOptions,
  terminal: Terminal,
): Promise<number> {
  const configurable = Object.keys({ ...SHARED_OPTIONS, ...configCatalogue });
  const sources = { rawOptions: flags, configurable, defaults: COMPARED };
  const settings = await readSettings(sources, terminal);
  try {
    rejectJob(terminal.process.env, 'ab');
    if (words.length > 0) return await compareCommand(directories, words, flags, settings, terminal);
    return await measure(directories, settings, flags.all === true, terminal);
  } catch (error) {
    throw addOriginsToError(settings.origins, translateError(FLAG_NAMES, error));
  }
}

/** Plans, measures all directories, and prints the results. Returns the exit code. */
async function measure(
  directories: readonly string[],
  { options, cliOptions, isOpenEnded, origins }: Settings,
  all: boolean,
  terminal: Terminal,
): Promise<number> {
  const { process, log } = terminal;
  const { quiet, dryRun, allowCached, strict } = cliOptions;
  const format = comparisonFormat(cliOptions, 'ab');
  const maxRegression = origins.has('maxRegression') ? cliOptions.maxRegression : null;
  const plans = await makeEqualPlans(directories, options, cliOptions, log);
  if (!quiet) for (const line of sharedDeviceLines(plans.map(({ machine }) => machine.target))) log(line);
  if (dryRun) {
    await printPlans(plans, cliOptions, format === 'json', terminal);
    return EXIT_CODES.success;
  }

  await using session = await openSession({ cliOptions, showsEvents: false }, terminal);
  const { signal, files, watcher, progress, screen, paint } = session;
  const onEvent = createListener(cliOptions, progress, screen, log);
  const onRound = (reports: readonly Report[]) => files.update((format) => renderReports(format, reports));
  const areDecided = (reports: readonly Report[]) =>
    !isOpenEnded || areAbDecided(reports, allowCached, maxRegression);
  const hooks = { signal, onEvent, onRound, areDecided, allowCached };
  const reports = await runInterleaved(plans, hooks, watcher);

  for (const report of quiet ? [] : reports) {
    const formatLog: LogFormatter = (event) => eventLines(report.target, event, false, screen);
    const lines = screen
      ? directoryWarningLines(report, screen)
      : logWarningLines(report.warnings, formatLog, paint);
    for (const line of lines) log(line);
  }
  const result = findAbWinners(reports, allowCached, maxRegression);
  let markdown = '';
  if (result) {
    terminal.print(comparisonText(result, format, all, process, cliOptions));
    const formats = createComparisonFormats({ all }, result);
    markdown = `### gobonnie ab\n\n${formats.markdown(result.comparisons)}`;
  }
  files.write((format) => {
    const sections = renderReports(format, reports, result?.comparisons, result?.winners);
    // Markdown is for people, so the winners come first.
    return markdown && format === reportFormats.markdown ? `${markdown}\n${sections}` : sections;
  });
  const verdicts = maxRegression === null ? [] : (result?.comparisons ?? []).map(findWorstVerdict);
  const exitCode = conclude(combineReports(reports), comparisonExitCode(verdicts, strict), {}, log);
  await writeGithubReport({ annotations: collectAnnotations(reports), markdown }, cliOptions, terminal);
  await session.flush();
  return exitCode;
}

/** Plans the same size for all directories: the largest size that fits in every directory. */
async function makeEqualPlans(
  directories: readonly string[],
  options: Options,
  { dryRun }: CliOptions,
  log: (line: string) => void,
): Promise<readonly RunPlan[]> {
  const plans: RunPlan[] = [];
  for (const dir of directories) {
    const ownOptions = { ...options, dir };
    plans.push(plan(ownOptions, await runPreflight(ownOptions, { dryRun, needsDirectory: true }, log)));
  }
  const minBytes = Math.min(...plans.map(({ totalBytes }) => totalBytes));
  return plans.map((candidate) =>
    candidate.totalBytes === minBytes
      ? candidate
      : plan({ ...candidate.options, size: minBytes / GIB }, candidate.machine),
  );
}

/** Shows progress and logs the events of each directory. */
function createListener(
  { quiet, verbose }: CliOptions,
  progress: Session['progress'],
  screen: Screen | null,
  log: (line: string) => void,
): (event: RunEvent, plan: RunPlan, run: number) => void {
  let hasUrgent = false;
  return (event, plan, run) => {
    const { options } = emptyReport(plan);
    progress?.handle(event, { directory: plan.directory, run: initialRunCounter(options, run) });
    if (event.type === 'stall') log(stallLine(event));
    if (event.type === 'warning') {
      // Every run repeats the warning that the watcher is gone. Other warnings are logged after the last run.
      if (hasUrgent || !isUrgent(event.warning)) return;
      hasUrgent = true;
    }
    if (!quiet) for (const line of eventLines(plan.machine.target, event, verbose, screen)) log(line);
  };
}

/** Formats an event as lines that name the directory: the results of a run are one line. Only logs have times. */
function eventLines(
  target: Pick<Report['target'], 'directory' | 'isMemory'>,
  event: RunEvent,
  isVerbose: boolean,
  screen: Screen | null,
): readonly string[] {
  const time = screen ? '' : `${formatLogTime(new Date())} `;
  const prefix = `${time}${display(target.directory)}: `;
  if (event.type === 'run-end') return [prefix + runLine(event.result, target)];
  const lines = isVerbose || event.type === 'warning' ? logLines(event, true) : [];
  return lines.map((line) => prefix + line);
}
