import { constants } from 'node:os';
import type { Bench, BenchContext } from './context.js';
import { describeMachine } from './machine.js';
import { type BenchOptions, parseOptions } from './options.js';
import { type Row, Unavailable } from './row.js';
import { table } from './table.js';

/** Runs the benches that the command line asks for, and prints a table of medians and ratios. `user` is who runs them. */
export async function runBenches(benches: readonly Bench[], user: () => string): Promise<void> {
  const options = optionsOf(process.argv.slice(2), benches);
  if (!options) return;
  const { rounds, only, dir } = options;
  const context: BenchContext = {
    rounds,
    places: { memory: '/dev/shm', disk: dir },
    signal: interruption(),
    say: (line) => process.stderr.write(`${line}\n`),
  };

  process.stdout.write(`${await describeMachine(user(), context)}\n`);
  const rows: Row[] = [];
  for (const bench of benches.filter(({ subjects }) => subjects.some(({ name }) => only.has(name)))) {
    rows.push(...(await attempt(bench, context)));
  }
  process.stdout.write(table(rows.filter(({ name }) => only.has(name))));
}

function optionsOf(argv: readonly string[], benches: readonly Bench[]): BenchOptions | null {
  try {
    return parseOptions(argv, benches);
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 2;
    return null;
  }
}

/** Stops on Ctrl-C, and when stdout or stderr is closed, so that everything is removed. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      process.exitCode = 128 + constants.signals[name];
      controller.abort(new Error(`interrupted by ${name}`));
    });
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => controller.abort(error));
  }
  return controller.signal;
}

/** A bench that fails gives rows with the reason, so that the other rows are still printed. */
async function attempt(bench: Bench, context: BenchContext): Promise<readonly Row[]> {
  try {
    return await bench.run(context);
  } catch (error) {
    // A missed target is not a failure, a program that breaks is.
    if (!(error instanceof Unavailable)) process.exitCode ??= 1;
    const cause: unknown = context.signal.aborted ? context.signal.reason : error;
    const why = cause instanceof Error ? cause.message : String(cause);
    return bench.subjects.map((subject) => ({ ...subject, why }));
  }
}
