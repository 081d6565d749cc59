import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../src/report/schema/report.js';
import { figureOf } from '../../src/report/statistics/figures.js';
import type { Noise, Recording } from './noise.js';

const ENTRY = fileURLToPath(new URL('../../bin/gobonnie.cjs', import.meta.url));
/** Phases of some tenths of a second or more: in less, tmpfs tells more of single pages than of itself. */
const PLAN = ['--size', '3', '--iops-duration', '0.5', '--threads', '2', '--runs', '5'];

/** Starts gobonnie again and again, one after the other, on tmpfs. */
export function record(times: number, say: (line: string) => void): Noise {
  const directory = mkdtempSync('/dev/shm/bench-');
  try {
    // Of a virtual machine's memory its host may yet have to find what was never used.
    recordingIn(directory);
    const recordings = Array.from({ length: times }, (_, at) => {
      say(`recording ${at + 1} of ${times}`);
      return recordingIn(directory);
    });
    const machine = `${os.cpus()[0]?.model}, ${os.cpus().length} CPUs, Node ${process.version}`;
    return { machine, plan: PLAN, recordings };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function recordingIn(directory: string): Recording {
  const out = path.join(directory, 'report.json');
  execFileSync(process.execPath, [ENTRY, '-q', '--dir', directory, '--out', out, ...PLAN]);
  const report = JSON.parse(readFileSync(out, 'utf8')) as Report;
  return report.runs.map(({ measurements }) =>
    Object.fromEntries(measurements.map((one) => [one.phase, Math.round(figureOf(one))])),
  );
}
