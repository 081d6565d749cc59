import { constants } from 'node:os';
import type { Bench, BenchContext } from './bench-context.js';
import { type BenchOptions, parseOptions } from './bench-options.js';
import { type BenchRow, Unavailable } from './bench-row.js';
import { describeMachine } from './describe-machine.js';
import { formatTable } from './format-table.js';

/** Runs the benches that `argv` selects, and prints a table of medians and ratios. `user` returns the user. */
export async function runBenches(
  benches: readonly Bench[],
  user: () => string,
  argv = process.argv.slice(2),
): Promise<void> {
  const options = tryParseOptions(argv, benches);
  if (!options) return;
  const { rounds, only, dir } = options;
  const context: BenchContext = {
    rounds,
    directories: { memory: '/dev/shm', disk: dir },
    signal: abortOnInterruption(),
    log: (line) => process.stderr.write(`${line}\n`),
  };

  process.stdout.write(`${await describeMachine(user(), context)}\n`);
  const rows: BenchRow[] = [];
  for (const bench of benches.filter(({ labels }) => labels.some(({ name }) => only.has(name)))) {
    rows.push(...(await runBench(bench, context)));
  }
  process.stdout.write(formatTable(rows.filter(({ name }) => only.has(name))));
}

function tryParseOptions(argv: readonly string[], benches: readonly Bench[]): BenchOptions | null {
  try {
    return parseOptions(argv, benches);
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 2;
    return null;
  }
}

/** Aborts on Ctrl-C and when stdout or stderr is closed, to remove all directories. */
function abortOnInterruption(): AbortSignal {
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

/** Returns rows with the reason if a bench fails, to still print the other rows. */
async function runBench(bench: Bench, context: BenchContext): Promise<readonly BenchRow[]> {
  try {
    return await bench.run(context);
  } catch (error) {
    // A failed program sets the exit code, but a missing requirement does not.
    if (!(error instanceof Unavailable)) process.exitCode ??= 1;
    const cause: unknown = context.signal.aborted ? context.signal.reason : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    return bench.labels.map((label) => ({ ...label, reason }));
  }
}
