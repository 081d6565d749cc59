/**
 * `npm run bench:noise`: how often `compare` reports noise as a regression, and how often it detects a real
 * regression, in pairs of recorded runs. `-- --record 110` records new runs on tmpfs, which needs an idle machine.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { NOISE_FILE, type Noise, readNoise } from './noise.js';
import { recordNoise } from './record-noise.js';
import { type Pair, pairRecordings, simulate } from './simulation.js';

const PAIRS = 200;
const DROP_PERCENT = 20;

const { values } = parseArgs({
  options: { record: { type: 'string' }, file: { type: 'string', default: NOISE_FILE } },
});
const log = (line: string) => process.stderr.write(`bench: ${line}\n`);
if (values.record !== undefined)
  writeFileSync(values.file, `${JSON.stringify(recordNoise(Number(values.record), log))}\n`);
if (existsSync(values.file)) print(readNoise(values.file));
else log(`${values.file} does not exist; pass --record 110 on an idle machine`);

function print({ machine, plan, recordings }: Noise): void {
  process.stdout.write(`${recordings.length} recordings, ${machine}: ${plan.join(' ')}\n`);
  const pairs = pairRecordings(recordings);
  printPairs('recorded shortly after each other', pairs.slice(0, PAIRS));
  printPairs('recorded at any distance', pairs);
}

function printPairs(description: string, pairs: readonly Pair[]): void {
  const { falseAlarms, detected, detectedAlone } = simulate(pairs, DROP_PERCENT);
  const percent = (count: number) => `${((count / pairs.length) * 100).toFixed(1)} %`;
  const detectedOnOne = Object.entries(detectedAlone).map(([name, count]) => `${name} ${percent(count)}`);
  process.stdout.write(
    `${pairs.length} pairs, ${description}:\n` +
      `  unchanged: ${percent(falseAlarms)} reported as a regression\n` +
      `  all results ${DROP_PERCENT} % slower: ${percent(detected)} detected\n` +
      `  a single result slower: ${detectedOnOne.join(', ')}\n`,
  );
}
