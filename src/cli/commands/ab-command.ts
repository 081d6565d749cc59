import path from 'node:path';
import * as z from 'zod';
import { summarizeSide, toCommandSide } from '../../command/side.js';
import { listTree } from '../../command/tree.js';
import { rejectLargeTree } from '../../command/work-directory.js';
import { findWorstVerdict, isDecided } from '../../compare/comparison.js';
import type { CommandComparison } from '../../compare/comparison-schema.js';
import { compareInTurn } from '../../compare/winners.js';
import { describeSetup } from '../../format/human/command-answer.js';
import type { Machine } from '../../machine/machine-schema.js';
import { toggle } from '../../options/field-schemas.js';
import { switchRow } from '../../options/option-row.js';
import type { Options } from '../../options/options-schema.js';
import { contradictionError } from '../../options/validate-options.js';
import { rejectCacheMode, rejectUnusableDirectory } from '../../plan/target.js';
import { computeMarginPercent } from '../../report/statistics/statistics.js';
import { isEnough } from '../../run/repeat.js';
import { flag } from '../../text/message-template.js';
import { pluralize } from '../../text/units.js';
import type { OptionRows, RawOptions } from '../argv/cli-catalogue.js';
import type { Settings } from '../config/settings.js';
import { EXIT_CODES } from '../exit-codes.js';
import { OutFile } from '../files/out-file.js';
import { selectByExtension } from '../files/report-files.js';
import { comparisonFormat, comparisonOutFormats, comparisonText } from '../output/comparison-text.js';
import { githubReportForComparisons, writeGithubReport } from '../output/github-report.js';
import type { Terminal } from '../output/terminal.js';
import { comparisonExitCode } from '../pass-criteria.js';
import { sharedDeviceLines } from './ab-results.js';
import { type CommandRuns, runCommandInTurn } from './command-runs.js';
import { concludeAbort, openSession, runPreflight } from './session.js';

/** The options of `ab` that need a command. */
export const COMMAND_OPTIONS = {
  copy: {
    argument: 'DIR',
    group: 'With -- COMMAND',
    help: 'give the command a copy of this directory on each side',
    defaultText: 'the current directory',
    expects: 'the path of a directory',
    example: '.',
  },
  noCopy: switchRow('With -- COMMAND', 'let the command start in an empty directory on each side'),
  exclude: {
    argument: 'NAME',
    group: 'With -- COMMAND',
    help: 'leave entries with this name, or with this path in the directory, out of the copy; repeatable',
    expects: 'a name or a path',
    example: 'node_modules',
    repeatable: true,
  },
  prepare: {
    argument: 'LINE',
    group: 'With -- COMMAND',
    help: 'run this shell line before each run, untimed, for example to undo what a run did',
    expects: 'a line for the shell',
    example: '"rm -rf node_modules"',
  },
  warm: switchRow('With -- COMMAND', 'keep the page cache before each run instead of emptying it'),
} as const satisfies OptionRows;

const commandOptionsSchema = z.object({
  copy: z.string().optional(),
  noCopy: toggle,
  exclude: z.array(z.string()).default([]),
  prepare: z.string().optional(),
  warm: toggle,
});

/** Runs a command in turn in a copy of the user's files in each directory, and prints where it is faster. */
export async function compareCommand(
  directories: readonly string[],
  words: readonly string[],
  rawOptions: RawOptions,
  settings: Settings,
  terminal: Terminal,
): Promise<number> {
  const { cliOptions, isOpenEnded, origins } = settings;
  const { process, log } = terminal;
  const format = comparisonFormat(cliOptions, 'ab');
  for (const file of cliOptions.out) selectByExtension(comparisonOutFormats, file);
  const request = await planCommand(directories, words, rawOptions, settings, log);
  if (cliOptions.dryRun) return EXIT_CODES.success;

  const base = { cliOptions: { ...cliOptions, out: [] }, showsEvents: true };
  await using session = await openSession(base, terminal);
  const outFiles: OutFile[] = [];
  for (const file of cliOptions.out)
    outFiles.push(await OutFile.open(file, (temporary) => session.watcher.register({ temporary })));
  const maxRegression = origins.has('maxRegression') ? cliOptions.maxRegression : null;
  const hasEnoughRounds = (runs: CommandRuns, elapsedSeconds: number) => {
    const { comparisons, command } = summarize(runs, request, maxRegression, 'early');
    const areClear = () => !isOpenEnded || comparisons.every(isDecided);
    const areStable = (withinPercent: number) =>
      command.sides.every(({ meanSeconds: mean, confidence95 }) => {
        const margin = computeMarginPercent({ mean, confidence95 });
        return margin !== null && margin <= withinPercent;
      });
    return isEnough(countRounds(runs), elapsedSeconds, request.options, areClear, areStable);
  };
  const runs = await runCommandInTurn({ ...request, cliOptions }, hasEnoughRounds, session, terminal);

  const rounds = countRounds(runs);
  const document = rounds > 0 ? summarize(runs, request, maxRegression, 'last') : null;
  if (document) {
    terminal.print(comparisonText(document, format, true, process, cliOptions));
    for (const file of outFiles)
      await file.write(selectByExtension(comparisonOutFormats, file.path)(document));
    await session.flush();
  }
  if (!document || runs.abortReason !== null)
    return concludeAbort(String(runs.abortReason), pluralize(rounds, 'round'), undefined, log);
  await writeGithubReport(githubReportForComparisons('ab', document), cliOptions, terminal);
  const verdicts = maxRegression === null ? [] : document.comparisons.map(findWorstVerdict);
  return comparisonExitCode(verdicts, cliOptions.strict);
}

/** Reads and checks everything that is known before the first run, and says what will run. */
async function planCommand(
  directories: readonly string[],
  words: readonly string[],
  rawOptions: RawOptions,
  { options: ownOptions, cliOptions }: Settings,
  log: Terminal['log'],
) {
  const { copy, noCopy, exclude, prepare = null, warm } = commandOptionsSchema.parse(rawOptions);
  if (noCopy && copy !== undefined) throw contradictionError(flag('noCopy'), flag('copy', copy));
  const options: Options = warm ? { ...ownOptions, cache: 'keep' } : ownOptions;
  const machines = await inspectDirectories(directories, options, cliOptions.dryRun, log);
  const excluded = exclude.map((one) => path.normalize(one).replace(/\/$/, ''));
  const tree = noCopy ? null : await listTree(path.resolve(copy ?? '.'), excluded);
  if (tree) rejectLargeTree(tree, machines);
  const request = { words, prepare, tree, excluded, machines, options };
  const notes = [
    ...sharedDeviceLines(machines.map(({ target }) => target)),
    describeSetup(toSetup(request)),
    ...(tree?.skipped ? [`not copied: sockets, pipes and devices (${tree.skipped})`] : []),
  ];
  if (!cliOptions.quiet) for (const note of notes) log(note);
  return request;
}

type CommandRequest = Awaited<ReturnType<typeof planCommand>>;

function toSetup({ words, prepare, tree, excluded }: Omit<CommandRequest, 'machines' | 'options'>) {
  const copied = tree && {
    directory: tree.root,
    entries: tree.entries.length,
    bytes: tree.bytes,
    excluded,
  };
  return { words: [...words], prepare, copied };
}

async function inspectDirectories(
  directories: readonly string[],
  options: Options,
  dryRun: boolean,
  log: Terminal['log'],
): Promise<readonly Machine[]> {
  const machines: Machine[] = [];
  for (const dir of directories) {
    const machine = await runPreflight({ ...options, dir }, { needsDirectory: true, dryRun }, log);
    rejectUnusableDirectory(machine.target);
    rejectCacheMode(options, machine);
    machines.push(machine);
  }
  return machines;
}

/** Returns the number of rounds that all sides have completed. */
function countRounds({ sides }: CommandRuns): number {
  return Math.min(...sides.map(({ runs }) => runs.length));
}

/** Compares these rounds. */
function summarize(
  runs: CommandRuns,
  request: CommandRequest,
  maxRegressionPercent: number | null,
  look: 'early' | 'last',
) {
  const { cache, ioWaitOf } = runs;
  const sides = runs.sides.map((side) =>
    summarizeSide(side.work.machine.target, side.firstSeconds ?? 0, side.runs.slice(0, countRounds(runs))),
  );
  const [first, ...others] = sides.map(toCommandSide);
  if (!first) throw new Error('there is nothing to compare');
  const command: CommandComparison = { ...toSetup(request), cache, ioWaitOf, sides };
  return { ...compareInTurn([first, ...others], maxRegressionPercent, look), command };
}
