import { CommandCache } from '../../command/empty-cache.js';
import { measureCommand } from '../../command/measure-command.js';
import type { SourceTree } from '../../command/tree.js';
import { WorkDirectory } from '../../command/work-directory.js';
import type { CommandComparison, CommandRun } from '../../compare/comparison-schema.js';
import { GobonnieError } from '../../errors.js';
import type { Machine } from '../../machine/machine-schema.js';
import type { Options } from '../../options/options-schema.js';
import { measureInTurn } from '../../run/interleave.js';
import { type ControlGroup, createControlGroup, removeControlGroup } from '../../scratch/control-group.js';
import { display, sanitize } from '../../text/escape.js';
import { formatNs, MS_PER_SECOND, NS_PER_SECOND } from '../../text/units.js';
import type { CliOptions } from '../argv/cli-options.js';
import type { LiveLine } from '../output/live-line.js';
import type { Terminal } from '../output/terminal.js';
import type { Session } from './session.js';

const MAX_TAIL_CHARACTERS = 4000;
const TAIL_LINES = 5;

/** One directory, and the runs of the command there. */
interface Side {
  readonly work: WorkDirectory;
  /** The time of the first run, which does not count. Null before it has ended. */
  firstSeconds: number | null;
  readonly runs: CommandRun[];
}

/** All runs so far. */
export interface CommandRuns extends Pick<CommandComparison, 'cache' | 'ioWaitOf'> {
  readonly sides: readonly Side[];
  /** Null unless the runs were stopped. */
  readonly abortReason: string | null;
}

interface RunRequest {
  readonly words: readonly string[];
  readonly prepare: string | null;
  readonly tree: SourceTree | null;
  readonly machines: readonly Machine[];
  readonly options: Options;
  readonly cliOptions: CliOptions;
}

/** Runs the command in turn on all sides until there are enough rounds, and removes the copies. */
export async function runCommandInTurn(
  { words, prepare, tree, machines, options, cliOptions }: RunRequest,
  hasEnoughRounds: (runs: CommandRuns, elapsedSeconds: number) => boolean,
  { watcher, signal, screen }: Session,
  terminal: Terminal,
): Promise<CommandRuns> {
  const { quiet, verbose } = cliOptions;
  const sides: Side[] = [];
  let group: ControlGroup | null = null;
  let tail = '';
  const print = (text: string) => {
    tail = (tail + text).slice(-MAX_TAIL_CHARACTERS);
    if (verbose) terminal.process.stderr.write(text);
  };
  try {
    for (const machine of machines)
      sides.push({ work: await WorkDirectory.create(machine, tree, watcher), firstSeconds: null, runs: [] });
    const name = `gobonnie-${terminal.process.pid}`;
    group = await createControlGroup(name, (controlGroup) => watcher.register({ controlGroup }));
    const cache = new CommandCache(options.cache, machines);
    const setup = { words, prepare, cache, group, signal, print };
    const collect = (): CommandRuns => ({
      sides,
      cache: cache.record,
      ioWaitOf: findIoWaitOwner(sides, group),
      abortReason: signal.aborted ? String(signal.reason) : null,
    });
    const measure = async (side: Side, round: number) => {
      const directory = display(side.work.machine.target.directory);
      const live = screen && !quiet && !verbose ? showRun(terminal, directory, words) : null;
      const run = await measureCommand(side.work, setup).finally(() => live?.end());
      if (run === null) return false;
      // The first run brings caches and the copy into the state that all later runs find.
      if (round === 1) side.firstSeconds = run.seconds;
      else side.runs.push(run);
      const note = round === 1 ? ' (first run, not counted)' : '';
      if (!quiet) terminal.log(`${directory}: ${formatNs(run.seconds * NS_PER_SECOND)}${note}`);
      return true;
    };
    await measureInTurn(
      sides,
      measure,
      (round, elapsedSeconds) => round > 1 && hasEnoughRounds(collect(), elapsedSeconds),
    );
    return collect();
  } catch (error) {
    // An error has one line, so the command's own lines precede it.
    if (error instanceof GobonnieError && error.code === 'command-failed' && !verbose)
      for (const line of tail.trimEnd().split('\n').slice(-TAIL_LINES)) terminal.log(sanitize(line));
    throw error;
  } finally {
    await removeAll(sides, group);
  }
}

/** Removes the copies, each even if another could not be removed. */
async function removeAll(sides: readonly Side[], group: ControlGroup | null): Promise<void> {
  if (group) await removeControlGroup(group.directory);
  const removals = await Promise.allSettled(sides.map(({ work }) => work[Symbol.asyncDispose]()));
  for (const removal of removals) if (removal.status === 'rejected') throw removal.reason;
}

/** Returns whose waits for I/O the runs count. */
function findIoWaitOwner(sides: readonly Side[], group: ControlGroup | null): CommandRuns['ioWaitOf'] {
  const isCounted = sides.some(({ runs }) => runs.some(({ ioWaitSeconds }) => ioWaitSeconds !== null));
  if (!isCounted) return null;
  return group ? 'command' : 'system';
}

/** Shows on a terminal what runs, and for how long. */
function showRun(terminal: Terminal, directory: string, words: readonly string[]): LiveLine {
  const startMs = performance.now();
  return terminal.showLiveLine((columns) => {
    const seconds = Math.floor((performance.now() - startMs) / MS_PER_SECOND);
    return `${seconds} s  ${directory}: ${sanitize(words.join(' '))}`.slice(0, columns - 1);
  });
}
