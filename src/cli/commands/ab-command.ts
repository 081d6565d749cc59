import path from 'node:path';
import * as z from 'zod';
import { summarizeSide, toCommandSide } from '../../command/side.js';
import { listTree } from '../../command/tree.js';
import { rejectLargeTree } from '../../command/work-directory.js';
import { findWorstVerdict, isDecided } from '../../compare/comparison.js';
import type { CommandComparison } from '../../compare/comparison-schema.js';
import { compareInTurn } from '../../compare/winners.js';
import { describeSetup } from '../../format/human/command-answer.js';
import { createComparisonFormats } from '../../format/human/comparison-format.js';
import { htmlPage } from '../../format/page/page.js';
import type { Machine } from '../../machine/machine-schema.js';
import { toggle } from '../../options/field-schemas.js';
import { switchRow } from '../../options/option-row.js';
import type { Options } from '../../options/options-schema.js';
import { contradictionError } from '../../options/validate-options.js';
import { rejectCacheMode, rejectUnusableDirectory } from '../../plan/target.js';
import { computeMarginPercent } from '../../report/statistics/statistics.js';
import { isEnough } from '../../run/repeat.js';
import { flag } from '../../text/message-template.js';
import type { OptionRows, RawOptions } from '../argv/cli-catalogue.js';
import type { Settings } from '../config/settings.js';
import { EXIT_CODES } from '../exit-codes.js';
import { OutFile } from '../files/out-file.js';
import { selectByExtension } from '../files/report-files.js';
import { type ComparisonDocument, comparisonFormat, comparisonText } from '../output/comparison-text.js';
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

/** The formats of --out. */
const OUT_FORMATS: Readonly<Record<`.${string}`, (document: ComparisonDocument) => string>> = {
  '.html': ({ comparisons, ...document }) => htmlPage([], comparisons, document),
  '.json': ({ comparisons, ...document }) => createComparisonFormats({}, document).json(comparisons),
  '.md': ({ comparisons, ...document }) => createComparisonFormats({}, document).markdown(comparisons),
};

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
  const { copy, noCopy, exclude, prepare = null, warm } = commandOptionsSchema.parse(rawOptions);
  if (noCopy && copy !== undefined) throw contradictionError(flag('noCopy'), flag('copy', copy));
  const options: Options = warm ? { ...settings.options, cache: 'keep' } : settings.options;
  const format = comparisonFormat(cliOptions, 'ab');
  for (const file of cliOptions.out) selectByExtension(OUT_FORMATS, file);
  const machines = await inspectDirectories(directories, options, cliOptions.dryRun, log);
  const excluded = exclude.map((one) => path.normalize(one).replace(/\/$/, ''));
  const tree = noCopy ? null : await listTree(path.resolve(copy ?? '.'), excluded);
  if (tree) rejectLargeTree(tree, machines);
  const copied = tree && {
    directory: tree.root,
    entries: tree.entries.length,
    bytes: tree.bytes,
    excluded,
  };
  const setup = { words: [...words], prepare, copied };
  const skipped = tree?.skipped ? [`not copied: sockets, pipes and devices (${tree.skipped})`] : [];
  const notes = [
    ...sharedDeviceLines(machines.map(({ target }) => target)),
    describeSetup(setup),
    ...skipped,
  ];
  if (!cliOptions.quiet) for (const note of notes) log(note);
  if (cliOptions.dryRun) return EXIT_CODES.success;

  await using session = await openSession(
    { cliOptions: { ...cliOptions, out: [] }, showsEvents: true },
    terminal,
  );
  const outFiles: OutFile[] = [];
  for (const file of cliOptions.out)
    outFiles.push(await OutFile.open(file, (temporary) => session.watcher.register({ temporary })));
  const maxRegression = origins.has('maxRegression') ? cliOptions.maxRegression : null;
  const compare = (runs: CommandRuns, look: 'early' | 'last') => summarize(runs, setup, maxRegression, look);
  const runs = await runCommandInTurn(
    { words, prepare, tree, machines, options, cliOptions },
    (runs, elapsedSeconds) => {
      const { comparisons, command } = compare(runs, 'early');
      const areClear = () => !isOpenEnded || comparisons.every(isDecided);
      const margins = command.sides.map(({ meanSeconds: mean, confidence95 }) =>
        computeMarginPercent({ mean, confidence95 }),
      );
      const areStable = (percent: number) => margins.every((margin) => margin !== null && margin <= percent);
      return isEnough(command.sides[0]?.runs.length ?? 0, elapsedSeconds, options, areClear, areStable);
    },
    session,
    terminal,
  );

  const rounds = Math.min(...runs.sides.map((side) => side.runs.length));
  if (rounds === 0) return concludeAbort(runs.abortReason ?? '', '0 rounds', undefined, log);
  const document = compare(runs, 'last');
  terminal.print(comparisonText(document, format, true, process, cliOptions));
  for (const file of outFiles) await file.write(selectByExtension(OUT_FORMATS, file.path)(document));
  await session.flush();
  if (runs.abortReason !== null) return concludeAbort(runs.abortReason, `${rounds} rounds`, undefined, log);
  await writeGithubReport(githubReportForComparisons('ab', document), cliOptions, terminal);
  const verdicts = maxRegression === null ? [] : document.comparisons.map(findWorstVerdict);
  return comparisonExitCode(verdicts, cliOptions.strict);
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

/** Compares the rounds that all sides have completed. */
function summarize(
  { sides, cache, ioWaitOf }: CommandRuns,
  setup: Pick<CommandComparison, 'words' | 'prepare' | 'copied'>,
  maxRegressionPercent: number | null,
  look: 'early' | 'last',
) {
  const rounds = Math.min(...sides.map(({ runs }) => runs.length));
  const summaries = sides.map(({ work, firstSeconds, runs }) =>
    summarizeSide(work.machine.target, firstSeconds ?? 0, runs.slice(0, rounds)),
  );
  const [first, ...others] = summaries.map(toCommandSide);
  if (!first) throw new Error('there is nothing to compare');
  const command: CommandComparison = { ...setup, cache, ioWaitOf, sides: summaries };
  return { ...compareInTurn([first, ...others], maxRegressionPercent, look), command };
}
