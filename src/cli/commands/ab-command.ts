import path from 'node:path';
import * as z from 'zod';
import { runInCopy } from '../../command/run-command.js';
import { summarizeSide, toCommandSide } from '../../command/side.js';
import { createWorkScratch, listTree, rejectLargeTree } from '../../command/work-directory.js';
import type { CommandComparison, CommandRun, CommandSide } from '../../compare/comparison-schema.js';
import type { Stage } from '../../compare/power.js';
import { areDecided, compareInTurn } from '../../compare/winners.js';
import { GobonnieError } from '../../errors.js';
import { describeSetup } from '../../format/human/command-answer.js';
import type { Machine, Target } from '../../machine/machine-schema.js';
import { toggle } from '../../options/field-schemas.js';
import { switchRow } from '../../options/option-row.js';
import { rejectCacheMode, rejectUnusableDirectory } from '../../plan/target.js';
import { computeMarginPercent } from '../../report/statistics/statistics.js';
import { PageCache } from '../../run/cache/page-cache.js';
import { isEnough, measureInTurn } from '../../run/repeat.js';
import { createControlGroup, removeControlGroup } from '../../scratch/processes.js';
import type { Scratch } from '../../scratch/scratch.js';
import { display, sanitize } from '../../text/escape.js';
import { formatNs, MS_PER_SECOND, NS_PER_SECOND, pluralize } from '../../text/units.js';
import type { OptionRows, RawOptions } from '../argv/cli-catalogue.js';
import type { Settings } from '../config/settings.js';
import { selectByExtension } from '../files/report-files.js';
import { comparisonOutFormats } from '../output/comparison-text.js';
import type { Terminal } from '../output/terminal.js';
import type { AbResult } from './ab-directories.js';
import { runPreflight, type Session } from './session.js';

const MAX_TAIL_CHARACTERS = 4000;
const TAIL_LINES = 5;

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
  noCopy: {
    ...switchRow('With -- COMMAND', 'let the command start in an empty directory on each side'),
    conflicts: ['copy', 'exclude'],
  },
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
  warm: {
    ...switchRow('With -- COMMAND', 'keep the page cache before each run instead of emptying it'),
    conflicts: ['cache'],
  },
} as const satisfies OptionRows;

const commandOptionsSchema = z.object({
  copy: z.string().optional(),
  noCopy: toggle,
  exclude: z.array(z.string()).default([]),
  prepare: z.string().optional(),
  warm: toggle,
});

/** One directory, and the runs of the command there. */
interface Side {
  readonly target: Target;
  readonly scratch: Scratch;
  /** The time of the first run, which does not count. */
  firstSeconds: number;
  readonly runs: CommandRun[];
}

/** Runs the command in turn in a copy of the user's files in each directory until there are enough rounds. */
export async function measureCommand(
  { words, prepare, tree, machines, mode, setup }: CommandPlan,
  { options, cliOptions: { quiet, verbose }, isOpenEnded }: Settings,
  maxRegressionPercent: number | null,
  { watcher, signal, screen, files }: Session,
  terminal: Terminal,
): Promise<AbResult> {
  const [first] = machines as [Machine];
  const cache = new PageCache({ mode, machine: first, keptReason: null, onGiveUp: () => {} });
  const sides: Side[] = [];
  let group: string | null = null;
  let tail = '';
  const print = (text: string) => {
    tail = (tail + text).slice(-MAX_TAIL_CHARACTERS);
    if (verbose) terminal.process.stderr.write(text);
  };
  const measureSide = async (side: Side, round: number) => {
    const { scratch, target } = side;
    const directory = display(target.directory);
    if (screen && !quiet && !verbose) showRun(terminal, directory, words);
    const command = { words, prepare, tree, cache, group, signal, print };
    const run = await runInCopy(scratch, target, command).finally(() => terminal.endLiveLine());
    if (run === null) return false;
    // The first run brings caches and the copy into the state that all later runs find.
    if (round === 1) side.firstSeconds = run.seconds;
    else side.runs.push(run);
    const note = round === 1 ? ' (first run, not counted)' : '';
    if (!quiet) terminal.log(`${directory}: ${formatNs(run.seconds * NS_PER_SECOND)}${note}`);
    return true;
  };
  const compare = (stage: Stage) =>
    compareSidesOf(sides, { setup, cache: cache.record, mode, group, maxRegressionPercent, stage });

  try {
    for (const machine of machines) {
      const scratch = await createWorkScratch(machine, watcher);
      sides.push({ target: machine.target, scratch, firstSeconds: 0, runs: [] });
    }
    group = await createControlGroup((controlGroup) => watcher.register({ controlGroup }));
    for await (const { round, elapsedSeconds } of measureInTurn(sides, measureSide)) {
      const interim = compare('interim');
      const isSettled = () => !isOpenEnded || areDecided(interim);
      const areStable = (percent: number) =>
        interim?.command.sides.every((side) => isStable(side, percent)) === true;
      if (interim && isEnough(round - 1, elapsedSeconds, options, isSettled, areStable)) break;
    }
  } catch (error) {
    // An error has one line, so the command's own lines precede it.
    if (error instanceof GobonnieError && error.code === 'command-failed' && !verbose)
      for (const line of tail.trimEnd().split('\n').slice(-TAIL_LINES)) terminal.log(sanitize(line));
    throw error;
  } finally {
    await removeAll(sides, group);
  }
  const document = compare('final');
  if (document) files.write(({ render }) => render?.([], document) ?? '');
  return {
    document,
    outcome: signal.aborted ? { state: 'aborted', reason: String(signal.reason) } : { state: 'completed' },
    completed: pluralize(countRounds(sides), 'round'),
    annotations: [],
  };
}

interface CommandFacts {
  readonly setup: CommandPlan['setup'];
  readonly cache: PageCache['record'];
  readonly mode: CommandPlan['mode'];
  readonly group: string | null;
  readonly maxRegressionPercent: number | null;
  readonly stage: Stage;
}

/** Compares the rounds that are complete on all sides. Null if there are none. */
function compareSidesOf(
  sides: readonly Side[],
  { setup, cache, mode, group, maxRegressionPercent, stage }: CommandFacts,
) {
  const rounds = countRounds(sides);
  if (rounds === 0) return null;
  const command: CommandComparison = {
    ...setup,
    cache: { applied: cache.applied, reason: mode === 'keep' ? 'as requested' : cache.reason },
    ioWaitOf: findIoWaitOwner(sides, group),
    sides: sides.map(({ target, firstSeconds, runs }) =>
      summarizeSide(target, firstSeconds, runs.slice(0, rounds)),
    ),
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

/** Everything that is known before the first run. */
export type CommandPlan = Awaited<ReturnType<typeof planCommand>>;

/** Reads and checks everything that is known before the first run. */
export async function planCommand(
  directories: readonly string[],
  words: readonly string[],
  rawOptions: RawOptions,
  { options, cliOptions: { dryRun, out } }: Settings,
  log: Terminal['log'],
) {
  for (const file of out) selectByExtension(comparisonOutFormats, file);
  const { copy, noCopy, exclude, prepare = null, warm } = commandOptionsSchema.parse(rawOptions);
  const mode = warm ? 'keep' : options.cache;
  const machines: Machine[] = [];
  for (const dir of directories) {
    const machine = await runPreflight({ ...options, dir }, { needsDirectory: true, dryRun }, log);
    rejectUnusableDirectory(machine.target);
    rejectCacheMode(mode, machine);
    machines.push(machine);
  }
  const excluded = exclude.map((one) => path.normalize(one).replace(/\/$/, ''));
  const tree = noCopy ? null : await listTree(path.resolve(copy ?? '.'), excluded);
  if (tree) rejectLargeTree(tree, machines);
  const copied = tree && { directory: tree.root, entries: tree.entries.length, bytes: tree.bytes, excluded };
  const setup = { words: [...words], prepare, copied };
  const notes = [describeSetup(setup)];
  if (tree?.skipped) notes.push(`not copied: sockets, pipes and devices (${tree.skipped})`);
  return { words, prepare, tree, machines, mode, setup, notes } as const;
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

/** Shows on a terminal what runs, and for how long. */
function showRun(terminal: Terminal, directory: string, words: readonly string[]): void {
  const startMs = performance.now();
  terminal.showLiveLine((columns) => {
    const seconds = Math.floor((performance.now() - startMs) / MS_PER_SECOND);
    return `${seconds} s  ${directory}: ${sanitize(words.join(' '))}`.slice(0, columns - 1);
  });
}
