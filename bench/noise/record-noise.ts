import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { primaryRateOf } from '../../src/report/rate.js';
import type { Report } from '../../src/report/schema/report.js';
import type { Noise, Recording } from './noise.js';

const ENTRY = fileURLToPath(new URL('../../bin/gobonnie.cjs', import.meta.url));
/** Long enough for phases of some tenths of a second; shorter ones on tmpfs are mostly noise. */
const PLAN = ['--size', '3', '--iops-duration', '0.5', '--threads', '2', '--runs', '5'];

/** Runs gobonnie on tmpfs `times` times. */
export function recordNoise(times: number, log: (line: string) => void): Noise {
  const directory = mkdtempSync('/dev/shm/bench-');
  try {
    // Do not record the first run: a virtual machine's host may still have to allocate its memory.
    recordRun(directory);
    const recordings = Array.from({ length: times }, (_, at) => {
      log(`recording ${at + 1} of ${times}`);
      return recordRun(directory);
    });
    const machine = `${os.cpus()[0]?.model}, ${os.cpus().length} CPUs, Node ${process.version}`;
    return { machine, plan: PLAN, recordings };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function recordRun(directory: string): Recording {
  const out = path.join(directory, 'report.json');
  execFileSync(process.execPath, [ENTRY, '-q', '--dir', directory, '--out', out, ...PLAN]);
  const report = JSON.parse(readFileSync(out, 'utf8')) as Report;
  return report.runs.map(({ measurements }) =>
    Object.fromEntries(measurements.map((one) => [one.step, Math.round(primaryRateOf(one))])),
  );
}
