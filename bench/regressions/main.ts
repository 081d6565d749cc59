/**
 * `npm run bench:regressions`: how often `compare` calls noise a regression, and how often it finds a real one, in pairs
 * of recorded program starts. `-- --record 40` records them anew, on tmpfs; the machine has to be quiet.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { figureOf } from '../../src/report/figures.js';
import type { Report } from '../../src/report/report.js';
import { NOISE_FILE, type Noise, readNoise } from './noise.js';
import { simulate } from './simulation.js';

const ENTRY = fileURLToPath(new URL('../../bin/gobonnie.cjs', import.meta.url));
const PLAN = ['--size', '0.25', '--iops-duration', '0.5', '--threads', '2', '--runs', '5'];
const PAIRS = 200;
const DROP_PERCENT = 20;

const { values } = parseArgs({
  options: { record: { type: 'string' }, file: { type: 'string', default: NOISE_FILE } },
});
if (values.record !== undefined) record(Number(values.record), values.file);
if (existsSync(values.file)) print(readNoise(values.file));
else process.stderr.write(`bench: there is no ${values.file}; pass --record 40 on a quiet machine\n`);

function record(times: number, file: string): void {
  const directory = mkdtempSync('/dev/shm/bench-');
  try {
    const recordings = Array.from({ length: times }, (_, at) => {
      process.stderr.write(`recording ${at + 1} of ${times}\n`);
      const out = path.join(directory, 'report.json');
      execFileSync(process.execPath, [ENTRY, '-q', '--dir', directory, '--out', out, ...PLAN]);
      const report = JSON.parse(readFileSync(out, 'utf8')) as Report;
      return report.runs.map(({ measurements }) =>
        Object.fromEntries(measurements.map((one) => [one.phase, Math.round(figureOf(one))])),
      );
    });
    const machine = `${os.cpus()[0]?.model}, ${os.cpus().length} CPUs, Node ${process.version}`;
    writeFileSync(file, `${JSON.stringify({ machine, plan: PLAN, recordings } satisfies Noise)}\n`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function print(noise: Noise): void {
  process.stdout.write(`${noise.recordings.length} recordings, ${noise.machine}: ${noise.plan.join(' ')}\n`);
  const { pairs, falseAlarms, found } = simulate(noise, {
    ...{ pairs: PAIRS, runs: 5, dropPercent: DROP_PERCENT, draw: Math.random },
  });
  const percent = (count: number) => `${((count / pairs) * 100).toFixed(1)} %`;
  process.stdout.write(`${pairs} pairs of the same: ${percent(falseAlarms)} called a regression\n`);
  for (const [name, count] of Object.entries(found))
    process.stdout.write(`${name} made ${DROP_PERCENT} % slower: found in ${percent(count)}\n`);
}
