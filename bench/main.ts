/** `npm run bench`: the same work through gobonnie and its peers in turns, and a table of medians and ratios. */
import { constants } from 'node:os';
import type { Bench } from './bench.js';
import { buffer } from './buffer.js';
import { direct } from './direct.js';
import { family } from './family.js';
import type { Lab } from './lab.js';
import { describeMachine } from './machine.js';
import { memory } from './memory.js';
import { type BenchOptions, parseOptions } from './options.js';
import type { Row } from './row.js';
import { firstIo, ready } from './startup.js';
import { table } from './table.js';
import { throughput } from './throughput.js';
import { Unavailable } from './unavailable.js';
import { stopBeingRoot } from './user.js';
import { version } from './version.js';

const benches = [throughput, ...direct, ...family, buffer, firstIo, ready, memory, version];

await main();

async function main(): Promise<void> {
  const options = optionsOf(process.argv.slice(2));
  if (!options) return;
  const { rounds, only, dir } = options;
  const lab: Lab = {
    rounds,
    places: { memory: '/dev/shm', disk: dir },
    signal: interruption(),
    say: (line) => process.stderr.write(`${line}\n`),
  };

  process.stdout.write(`${await describeMachine(stopBeingRoot(), lab)}\n`);
  const rows: Row[] = [];
  for (const bench of benches.filter(({ subjects }) => subjects.some(({ name }) => only.has(name)))) {
    rows.push(...(await attempt(bench, lab)));
  }
  process.stdout.write(table(rows.filter(({ name }) => only.has(name))));
}

function optionsOf(argv: readonly string[]): BenchOptions | null {
  try {
    return parseOptions(argv, benches);
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 2;
    return null;
  }
}

/** Ends the measuring on Ctrl-C, and when nobody reads any more, so that everything is removed. */
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

/** What could not be measured is rows too; what the others measured is not lost with it. */
async function attempt(bench: Bench, lab: Lab): Promise<readonly Row[]> {
  try {
    return await bench.run(lab);
  } catch (error) {
    // A ratio never fails the bench, a program that breaks does.
    if (!(error instanceof Unavailable)) process.exitCode ??= 1;
    const cause: unknown = lab.signal.aborted ? lab.signal.reason : error;
    const why = cause instanceof Error ? cause.message : String(cause);
    return bench.subjects.map((subject) => ({ ...subject, why }));
  }
}
