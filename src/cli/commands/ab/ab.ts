import { existsSync } from 'node:fs';
import { rejectMissingProgram } from '../../../command/run-command.js';
import { optionError } from '../../../errors.js';
import { rejectJob } from '../../../hosts/launcher.js';
import { optionCatalogue } from '../../../options/option-catalogue.js';
import type { Report } from '../../../report/schema/report.js';
import { display, formatCommandLine } from '../../../text/escape.js';
import { groupBy } from '../../../text/group-by.js';
import { flag, msg } from '../../../text/message-template.js';
import {
  cliOptionCatalogue,
  configCatalogue,
  type OptionRows,
  type RawOptions,
  settingRows,
} from '../../argv/cli-catalogue.js';
import { defineCommand } from '../../argv/define-command.js';
import { translateError } from '../../argv/dialect.js';
import { toFlagsRows, ValuedArgument } from '../../argv/option.js';
import { explainOrigins } from '../../config/option-source.js';
import { COMPARED, readSettings, type Settings } from '../../config/settings.js';
import { EXIT_CODES } from '../../exit-codes.js';
import {
  COMPARISON_OPTIONS,
  comparisonFormat,
  comparisonOutFormats,
  comparisonText,
} from '../../output/comparison-text.js';
import { githubReportForComparisons, writeGithubReport } from '../../output/github-report.js';
import type { Terminal } from '../../output/terminal.js';
import { comparisonExitCode } from '../../pass-criteria.js';
import { conclude, openSession, printPlans } from '../session.js';
import {
  COMMAND_DEFAULTS,
  COMMAND_OPTIONS,
  type Commands,
  commandPlanText,
  MAX_COMMAND_SECONDS,
  measureCommand,
  planCommand,
} from './command-sides.js';
import { costLines, measureDirectories, planEqualWork } from './directory-sides.js';

/** Stands between two commands after `--`. */
const NEXT_COMMAND = '--vs';

const { runs, maxRuns, seconds } = optionCatalogue;
const { out, maxRegression, strict } = cliOptionCatalogue;

/** Options that a benchmark lacks, or that work differently there. */
const AB_OPTIONS: OptionRows = {
  ...COMPARISON_OPTIONS,
  maxRegression: {
    ...maxRegression,
    needs: [],
    help: 'exit code 3 if another directory is slower than the first by more than this',
    defaultText: 'no limit',
  },
  strict: { ...strict, needs: ['maxRegression'] },
  out: {
    ...out,
    help:
      'also write FILE, in the format of its extension, such as .json (a list of full reports, one per directory) or ' +
      '.md (the comparison first); with a command only .html, .json and .md, with the comparison; repeatable',
  },
};

/** The directories are arguments, and are compared with each other. */
const MISSING_OPTIONS = ['dir', 'expect', 'baseline', 'force'];

/** Options with the same meaning and the same sources as in a benchmark. ab is never one of several ranks. */
const SHARED_OPTIONS: OptionRows = {
  ...Object.fromEntries(
    Object.entries(settingRows).filter(
      ([name, { group }]) =>
        group !== 'Multi-host' && !MISSING_OPTIONS.includes(name) && !Object.hasOwn(AB_OPTIONS, name),
    ),
  ),
  runs: { ...runs, defaultText: `${COMPARED.runs}, and more until every result is decided` },
  maxRuns: {
    ...maxRuns,
    needs: [],
    defaultText: `${COMPARED.maxRuns}; ${COMMAND_DEFAULTS.maxRuns} with a command`,
  },
  seconds: {
    ...seconds,
    help: `${seconds.help}; with a command and without --runs, stop after S seconds`,
    defaultText: `0; ${MAX_COMMAND_SECONDS} with a command`,
  },
};

export const ab = defineCommand({
  name: 'gobonnie ab',
  usage:
    '[options] DIR_A DIR_B...\n       gobonnie ab [options] DIR_A DIR_B... -- COMMAND\n' +
    '       gobonnie ab [options] DIR -- COMMAND --vs COMMAND...',
  description:
    'Measures several directories in turn, run by run, and finds the fastest for each metric. With a command, runs it in ' +
    'turn in a copy of your files in each directory, and says what a faster disk would save. With --vs, runs several ' +
    'commands in turn, each in its own copy in one directory, and says which is faster.',
  argument: new ValuedArgument('[DIR...]', 'the directories'),
  options: toFlagsRows({ ...SHARED_OPTIONS, ...AB_OPTIONS, ...COMMAND_OPTIONS, ...configCatalogue }),
  takesCommand: true,
  examples: [
    { command: 'gobonnie ab /mnt/volume /var/tmp --size 1', comment: 'a volume and a local disk' },
    { command: 'gobonnie ab . /dev/shm -- npm ci', comment: 'what a faster disk saves' },
    { command: 'gobonnie ab /mnt/ssd /mnt/hdd /dev/shm --size 0.5', comment: 'any number of directories' },
    { command: 'gobonnie ab . . --size 1', comment: 'how much the results of one directory vary' },
    { command: 'gobonnie ab . -- npm ci --vs pnpm install', comment: 'which of two commands is faster' },
  ],
  notes:
    'The directories must exist. gobonnie measures each directory once, then again in the opposite order, and so on, so a ' +
    "noisy host affects all directories alike. It names a winner only if Student's paired t-test shows it at a confidence level of 95 % over " +
    'all results together. Commands run until the answer is known, for at most 60 seconds, or --seconds, or one round after ' +
    'the first; --runs sets the number of rounds instead.',
  request(rawOptions, directories, _command, words) {
    const commands = splitCommands(words);
    rejectSides(directories, commands);
    rejectStrayOptions(rawOptions, words);
    return { type: 'command', run: (terminal) => runAb(directories, commands, rawOptions, terminal) };
  },
});

/** Splits the words after `--` at each `--vs`. */
function splitCommands(words: readonly string[]): Commands {
  if (words.length === 0) return [];
  const end = words.indexOf(NEXT_COMMAND);
  if (end === -1) return [words];
  const command = words.slice(0, end);
  const others = splitCommands(words.slice(end + 1));
  if (command.length === 0 || others.length === 0)
    throw optionError(
      `${NEXT_COMMAND} stands between two commands`,
      `for example, -- npm ci ${NEXT_COMMAND} pnpm install`,
    );
  return [command, ...others];
}

/** Characters that a shell would not pass to a program. */
const SHELL_SYNTAX = /[;&|<>$`*?"'()~#\\]/;

function rejectSides(directories: readonly string[], commands: Commands): void {
  if (commands.length > 1 && directories.length !== 1)
    throw optionError(
      `${NEXT_COMMAND} compares commands in one directory`,
      'type gobonnie ab DIR -- COMMAND --vs COMMAND',
    );
  const programs = commands.map(([program = '']) => program);
  const quoted = programs.find((one) => /^[\w./-]+ /.test(one) && !existsSync(one));
  if (quoted !== undefined) {
    const hint = SHELL_SYNTAX.test(quoted)
      ? `run it in a shell: ${formatCommandLine(['sh', '-c', quoted])}`
      : `type it without quotes: ${quoted}`;
    throw optionError(`there is no program ${display(quoted)}`, hint);
  }
  const missing = directories.find((one) => /^[\w-]+$/.test(one) && !existsSync(one));
  if (commands.length === 0 && missing !== undefined)
    throw optionError(
      `there is no directory ${display(missing)}`,
      'pass an existing one; before a command, type --',
    );
  if (commands.length > 1 || directories.length > 1) return;
  throw commands.length === 1
    ? optionError(
        'ab needs a second directory, or a second command',
        'type gobonnie ab DIR_A DIR_B -- COMMAND, or --vs COMMAND at the end',
      )
    : optionError('ab needs two or more directories', 'type gobonnie ab DIR_A DIR_B');
}

/** Rejects options of the benchmark with a command, and options of a command without one. */
function rejectStrayOptions(rawOptions: RawOptions, words: readonly string[]): void {
  const isOfAnyRun = (name: string) =>
    name === 'cache' || name === 'stallTimeout' || settingRows[name]?.group === 'Repetition';
  const isBenchmarkOnly = (name: string) =>
    name === 'allowCached' || (Object.hasOwn(optionCatalogue, name) && !isOfAnyRun(name));
  const isCommandOnly = (name: string) => Object.hasOwn(COMMAND_OPTIONS, name);
  const stray = Object.keys(rawOptions).find(words.length > 0 ? isBenchmarkOnly : isCommandOnly);
  if (stray === undefined) return;
  const option = flag(stray);
  throw words.length > 0
    ? optionError(msg`${option} does not apply to a command`, 'leave it out')
    : optionError(msg`${option} needs a command`, 'type gobonnie ab DIR_A DIR_B -- COMMAND');
}

/** Reads the options and measures; errors name each option as the user wrote it. */
async function runAb(
  directories: readonly string[],
  commands: Commands,
  flags: RawOptions,
  terminal: Terminal,
): Promise<number> {
  const configurable = Object.keys({ ...SHARED_OPTIONS, ...configCatalogue });
  const rows = { ...SHARED_OPTIONS, ...AB_OPTIONS };
  const defaults = commands.length > 0 ? COMMAND_DEFAULTS : COMPARED;
  const sources = { rawOptions: flags, configurable, defaults, rows };
  const settings = await readSettings(sources, terminal);
  try {
    rejectJob(terminal.process.env, 'ab');
    return await measure(directories, commands, flags, settings, terminal);
  } catch (error) {
    // ab has an argument instead of --dir.
    throw explainOrigins(settings.origins, translateError({ dir: 'DIR' }, error, true));
  }
}

/** Plans, measures all directories in turn, and prints the results. Returns the exit code. */
async function measure(
  directories: readonly string[],
  commands: Commands,
  rawOptions: RawOptions,
  settings: Settings,
  terminal: Terminal,
): Promise<number> {
  const { options, cliOptions, origins } = settings;
  const { process, log } = terminal;
  const format = comparisonFormat(cliOptions, 'ab');
  const maxRegression = origins.has('maxRegression') ? cliOptions.maxRegression : null;
  const command =
    commands.length > 0 ? await planCommand(directories, commands, rawOptions, settings, log) : null;
  const plans = command ? [] : await planEqualWork(directories, options, cliOptions, log);
  const targets = (command?.sides ?? plans).map(({ machine }) => machine.target);
  const notes = [...sharedDeviceLines(targets), ...(command?.notes ?? [])];
  if (cliOptions.dryRun && command) {
    terminal.print(commandPlanText(command, settings));
    return EXIT_CODES.success;
  }
  if (command) commands.forEach(rejectMissingProgram);
  else if (!cliOptions.dryRun) notes.push(...costLines(plans, settings));
  if (!cliOptions.quiet) for (const line of notes) log(line);
  if (cliOptions.dryRun) return printPlans(plans, settings, format === 'json', terminal);

  const outFormats = command ? comparisonOutFormats : undefined;
  await using session = await openSession(
    { cliOptions, outFormats, showsEvents: command !== null },
    terminal,
  );
  const { outcome, completed, annotations, ...result } = command
    ? await measureCommand(command, settings, maxRegression, session, terminal)
    : await measureDirectories(plans, settings, maxRegression, session, log);

  const document = result.document && { ...result.document, all: rawOptions.all === true };
  if (document) terminal.print(comparisonText(document, format, process, cliOptions));
  const verdict = comparisonExitCode(document?.comparisons ?? [], cliOptions.strict);
  const exitCode = conclude(outcome, completed, verdict, {}, log);
  const github = document
    ? githubReportForComparisons(document, cliOptions.strict)
    : { annotations: [], markdown: '' };
  const report = { ...github, annotations: [...annotations, ...github.annotations] };
  await writeGithubReport(report, cliOptions, terminal);
  await session.flush();
  return exitCode;
}

/** Returns a note for each device that several directories share: their results will hardly differ. */
export function sharedDeviceLines(
  targets: readonly Pick<Report['target'], 'directory' | 'device' | 'disk' | 'isMemory'>[],
): readonly string[] {
  const onDevices = targets.filter(({ isMemory }) => !isMemory);
  return groupBy(onDevices, ({ disk, device }) => disk?.diskstatsName ?? device ?? '').flatMap((group) => {
    const [{ disk, device }] = group;
    const directories = [...new Set(group.map(({ directory }) => display(directory)))];
    const name = disk?.diskstatsName ?? device;
    if (!name || directories.length < 2) return [];
    return [`note: ${directories.join(' and ')} are on the same device (${display(name)})`];
  });
}
