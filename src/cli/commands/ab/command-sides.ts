import path from 'node:path';
import * as z from 'zod';
import { type CommandActivity, runInCopy } from '../../../command/run-command.js';
import { type PlannedSide, summarizeSide, toCommandSide } from '../../../command/side.js';
import { createWorkScratch, listTree, rejectLargeTree } from '../../../command/work-directory.js';
import { isAnswered } from '../../../compare/comparison.js';
import type { CommandComparison, CommandRun, CommandSide } from '../../../compare/comparison-schema.js';
import type { Stage } from '../../../compare/power.js';
import { compareInTurn } from '../../../compare/winners.js';
import { GobonnieError } from '../../../errors.js';
import { CACHE_WORDS, describeSetup } from '../../../format/human/commands/command-answer.js';
import { toggle } from '../../../options/field-schemas.js';
import { inGroup, pathOf, switchRow } from '../../../options/option-row.js';
import type { Options } from '../../../options/options-schema.js';
import { rejectCacheMode, rejectUnusableDirectory } from '../../../plan/target.js';
import { computeMarginPercent } from '../../../report/statistics/statistics.js';
import { PageCache } from '../../../run/cache/page-cache.js';
import { diskstatsNames } from '../../../run/kernel/counters.js';
import { hasTimeForRound, isEnough, measureInTurn } from '../../../run/repeat.js';
import { createControlGroup, removeControlGroup } from '../../../scratch/processes.js';
import type { Scratch } from '../../../scratch/scratch.js';
import { display, formatCommandLine, sanitize } from '../../../text/escape.js';
import { formatNs, formatSeconds, NS_PER_SECOND, pluralize } from '../../../text/units.js';
import { toText } from '../../../text/wrap.js';
import type { RawOptions } from '../../argv/cli-catalogue.js';
import type { Settings } from '../../config/settings.js';
import { selectByExtension } from '../../files/report-files.js';
import { comparisonOutFormats } from '../../output/comparison-text.js';
import type { Terminal } from '../../output/terminal.js';
import { createCommandProgress } from '../../progress/command-progress.js';
import { runPreflight, type Session } from '../session.js';
import type { AbResult } from './directory-sides.js';

/** Defaults of `ab` with a command. */
export const COMMAND_DEFAULTS = { runs: 5, maxRuns: 100 } as const;
/** The limit without --seconds. A round that has begun continues to its end. */
export const MAX_COMMAND_SECONDS = 60;
/** A shorter command that is repeated finds its files in the page cache. */
const SHORT_SECONDS = 1;
const SHORT_REASON = 'the first runs took less than a second';
const MAX_TAIL_CHARACTERS = 4000;
/** Node prints an error above the lines of its stack. */
const TAIL_LINES = 30;

/** The options of `ab` that need a command. */
export const COMMAND_OPTIONS = inGroup('With -- COMMAND', {
  copy: {
    help: 'give the command a copy of this directory on each side',
    defaultText: 'the current directory',
    ...pathOf('directory', '.'),
  },
  noCopy: {
    ...switchRow('let the command start in an empty directory on each side'),
    conflicts: ['copy', 'exclude'],
  },
  exclude: {
    argument: 'NAME',
    help: 'leave out of the copy entries with this name, or with this path in the directory; repeatable',
    expects: 'a name or a path',
    example: 'node_modules',
    repeatable: true,
  },
  prepare: {
    argument: 'LINE',
    help: 'run this shell line before each run, untimed, for example to undo what a run did',
    expects: 'a line for the shell',
    example: '"rm -rf node_modules"',
  },
  warm: {
    ...switchRow('keep the page cache before each run instead of emptying it'),
    conflicts: ['cache'],
  },
});

/** The commands to compare, one or more. */
export type Commands = readonly (readonly string[])[];

const commandOptionsSchema = z.object({
  copy: z.string().optional(),
  noCopy: toggle,
  exclude: z.array(z.string()).default([]),
  prepare: z.string().optional(),
  warm: toggle,
});

/** A command in a directory, and its runs. */
interface Side extends PlannedSide {
  readonly scratch: Scratch;
  /** The time of the first run, which does not count. */
  firstSeconds: number;
  readonly runs: CommandRun[];
}

/** Runs the command of each side in turn, in a copy of the user's files, until the answer is known or the time is up. */
export async function measureCommand(
  plan: CommandPlan,
  { options, cliOptions: { quiet, verbose }, isOpenEnded }: Settings,
  maxRegressionPercent: number | null,
  { watcher, signal, screen, files }: Session,
  terminal: Terminal,
): Promise<AbResult> {
  const createCache = (keptReason: string | null) =>
    new PageCache({ mode: plan.mode, machine: plan.sides[0].machine, keptReason, onGiveUp: () => {} });
  let cache = createCache(SHORT_REASON);
  const sides: Side[] = [];
  const diskNames = [...new Set(plan.sides.flatMap(({ machine }) => diskstatsNames(machine.target)))];
  let group: string | null = null;
  let tail = '';
  const print = (text: string) => {
    tail = (tail + text).slice(-MAX_TAIL_CHARACTERS);
    if (verbose) terminal.process.stderr.write(text);
  };
  const common = { prepare: plan.prepare, tree: plan.tree, diskNames, signal, print };
  const limitSeconds = findLimitSeconds(isOpenEnded, options);
  const minimum = isOpenEnded ? { ...options, seconds: 0 } : options;
  const knownRuns = isOpenEnded || options.untilStable !== undefined ? null : options.runs;
  const progress = createCommandProgress(limitSeconds, knownRuns);
  const measureSide = async (side: Side, round: number) => {
    const { scratch, name, words, machine } = side;
    const line = formatCommandLine(words);
    tail = '';
    const onActivity = (activity: CommandActivity) =>
      progress.update(round, name, activity === 'running' && line !== name ? line : activity);
    const setup = { ...common, cache, group, onActivity, isRepeated: round > 1 };
    const run = await runInCopy(words, scratch, machine.target, setup);
    if (run === null) return false;
    // The first run brings caches and the copy into the state that all later runs find.
    if (round === 1) side.firstSeconds = run.seconds;
    else side.runs.push(run);
    const note = round === 1 ? ' (first run, not counted)' : '';
    if (verbose) terminal.log(`${display(name)}: ${formatNs(run.seconds * NS_PER_SECOND)}${note}`);
    return true;
  };
  const compare = (stage: Stage) =>
    compareRounds(sides, plan, cache.record, group, maxRegressionPercent, stage);

  try {
    for (const side of plan.sides) {
      const scratch = await createWorkScratch(side.machine, watcher);
      sides.push({ ...side, scratch, firstSeconds: 0, runs: [] });
    }
    group = await createControlGroup((controlGroup) => watcher.register({ controlGroup }));
    if (screen && !quiet && !verbose) terminal.showLiveLine((columns) => progress.format(columns));
    for await (const { round, elapsedSeconds } of measureInTurn(sides, measureSide)) {
      if (round === 1 && sides.some(({ firstSeconds }) => firstSeconds >= SHORT_SECONDS))
        cache = createCache(null);
      const interim = compare('interim');
      if (!interim) continue;
      const isSettled = () => !isOpenEnded || interim.comparisons.every(isAnswered);
      const areStable = (percent: number) => interim.command.sides.every((side) => isStable(side, percent));
      if (isEnough(round - 1, elapsedSeconds, minimum, isSettled, areStable)) break;
      if (limitSeconds !== null && !hasTimeForRound(round, elapsedSeconds, limitSeconds)) break;
    }
  } catch (error) {
    // An error has one line, so the command's own lines precede it.
    if (error instanceof GobonnieError && error.code === 'command-failed' && !verbose)
      for (const line of tail.trimEnd().split('\n').slice(-TAIL_LINES))
        if (line) terminal.log(sanitize(line));
    throw error;
  } finally {
    terminal.endLiveLine();
    await removeAll(sides, group);
  }
  const final = compare('final');
  const document = final && { ...final, isStopped: signal.aborted };
  if (document) files.write(({ render }) => render?.([], document) ?? '');
  return {
    document,
    outcome: signal.aborted ? { state: 'aborted', reason: String(signal.reason) } : { state: 'completed' },
    completed: pluralize(countRounds(sides), 'round'),
    annotations: [],
  };
}

/** Compares the rounds that are complete on all sides. Null if there are none. */
function compareRounds(
  sides: readonly Side[],
  plan: CommandPlan,
  cache: PageCache['record'],
  group: string | null,
  maxRegressionPercent: number | null,
  stage: Stage,
) {
  const rounds = countRounds(sides);
  if (rounds === 0) return null;
  const command: CommandComparison = {
    prepare: plan.prepare,
    copied: plan.copied,
    cache: { applied: cache.applied, reason: plan.mode === 'keep' ? 'as requested' : cache.reason },
    ioWaitOf: findIoWaitOwner(sides, group),
    sides: sides.map((side) => summarizeSide(side, side.firstSeconds, side.runs.slice(0, rounds))),
  };
  return { ...compareInTurn(command.sides.map(toCommandSide), maxRegressionPercent, stage), command };
}

function countRounds(sides: readonly Side[]): number {
  return Math.min(...sides.map(({ runs }) => runs.length));
}

function isStable({ meanSeconds: mean, confidence95 }: CommandSide, withinPercent: number): boolean {
  const margin = computeMarginPercent({ mean, confidence95 });
  return margin !== null && margin <= withinPercent;
}

/** Without a number of rounds, --seconds is a limit. Null if there is none. */
function findLimitSeconds(isOpenEnded: boolean, { seconds }: Options): number | null {
  return isOpenEnded ? seconds || MAX_COMMAND_SECONDS : null;
}

/** Renders the output of `--dry-run`. */
export function commandPlanText(
  { sides, prepare, copied, mode }: CommandPlan,
  { options, isOpenEnded }: Settings,
): string {
  const directories = [...new Set(sides.map(({ machine }) => display(machine.target.directory)))];
  const limitSeconds = findLimitSeconds(isOpenEnded, options);
  const rounds = limitSeconds
    ? `until the answer is known, for at most ${formatSeconds(limitSeconds)} or one round`
    : `${options.runs} at least`;
  const cache =
    mode === 'auto' ? 'emptied, unless the first runs take less than a second' : CACHE_WORDS[mode];
  const lines = [
    `Would measure in ${directories.join(', ')}`,
    `  ${describeSetup({ sides, prepare, copied })}`,
    `  rounds after a first one, which does not count: ${rounds}`,
    `  page cache before each run: ${cache}`,
    'Nothing was run or written.',
  ];
  return toText(lines);
}

/** All decisions before the first run. */
export type CommandPlan = Awaited<ReturnType<typeof planCommand>>;

/** Plans a command in several directories, or several commands in one directory. */
export async function planCommand(
  directories: readonly string[],
  commands: Commands,
  rawOptions: RawOptions,
  { options, cliOptions: { dryRun, out } }: Settings,
  log: Terminal['log'],
) {
  for (const file of out) selectByExtension(comparisonOutFormats, file);
  const { copy, noCopy, exclude, prepare = null, warm } = commandOptionsSchema.parse(rawOptions);
  const mode = warm ? 'keep' : options.cache;
  const sides: PlannedSide[] = [];
  for (const dir of directories) {
    const machine = await runPreflight({ ...options, dir }, { dryRun }, log);
    rejectUnusableDirectory(machine.target);
    rejectCacheMode(mode, machine);
    for (const words of commands) {
      const name = commands.length > 1 ? formatCommandLine(words) : machine.target.directory;
      sides.push({ name, words, machine });
    }
  }
  const excluded = exclude.map((one) => path.normalize(one).replace(/\/$/, ''));
  const tree = noCopy ? null : await listTree(path.resolve(copy ?? '.'), excluded);
  const targets = sides.map(({ machine }) => machine.target);
  if (tree) rejectLargeTree(tree, targets);
  const copied = tree && { directory: tree.root, entries: tree.entries.length, bytes: tree.bytes, excluded };
  const notes = [describeSetup({ sides, prepare, copied })];
  for (const one of tree?.unmatched ?? []) notes.push(`note: --exclude ${display(one)} matches nothing`);
  if (tree?.skipped) notes.push(`not copied: sockets, pipes and devices (${tree.skipped})`);
  return { sides: sides as [PlannedSide, ...PlannedSide[]], prepare, tree, mode, copied, notes };
}

/** Removes the copies, each even if another could not be removed. */
async function removeAll(sides: readonly Side[], group: string | null): Promise<void> {
  if (group) await removeControlGroup(group);
  const removals = await Promise.allSettled(sides.map(({ scratch }) => scratch.remove()));
  for (const removal of removals) if (removal.status === 'rejected') throw removal.reason;
}

/** Returns whose waits for I/O the runs count. */
function findIoWaitOwner(sides: readonly Side[], group: string | null): CommandComparison['ioWaitOf'] {
  const isCounted = sides.some(({ runs }) => runs.some(({ ioWaitSeconds }) => ioWaitSeconds !== null));
  if (!isCounted) return null;
  return group ? 'command' : 'system';
}
