/**
 * `npm run bench:ranks`: cost of a step for rank 0 of a job with many ranks, and size of the report. Simulates the
 * launcher with Slurm's limits and its search for keys, but not its network.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { joinPmi } from '../../src/hosts/launcher.js';
import { MIB, MS_PER_SECOND } from '../../src/text/units.js';
import { connectAll } from '../../test/support/launchers/pmi-launcher.js';
import { median } from '../bench-row.js';
import { type JobStepCosts, runJobSteps, type StepCost } from '../harness/run-job-steps.js';

const SIZES = [16, 64, 256, 1024, 4096];
/** Several runs, because a launcher keeps all keys, so a later run may take longer. */
const RUNS = 3;
const TARGET = { ranks: 1024, seconds: 5, reportBytes: 16 * MIB };
const LAUNCHER = fileURLToPath(new URL('launcher.ts', import.meta.url));

const HEADINGS = ['ranks', 'bytes each', 'gather, run 1', `run ${RUNS}`, 'barriers', 'report of a run', ''];
process.stdout.write(formatRow(HEADINGS));
for (const size of SIZES) process.stdout.write(formatRow(await measureCells(size)));

async function measureCells(size: number): Promise<readonly string[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'gobonnie-bench-'));
  const socketPath = path.join(directory, 'pmi');
  const launcher = fork(LAUNCHER, [socketPath, String(size), String(RUNS)]);
  try {
    await nextMessage(launcher);
    const [socket] = await connectAll(socketPath, 1);
    if (!socket) throw new Error('no connection to the launcher');
    // Listen for the launcher's last message while the job runs, because both end together.
    const [steps, bytesEach] = await Promise.all([
      joinPmi(socket, 0, size).then((communicator) => runJobSteps(communicator, RUNS)),
      nextMessage(launcher),
    ]);
    return formatCells(size, Number(bytesEach), steps);
  } finally {
    launcher.kill();
    rmSync(directory, { recursive: true });
  }
}

async function nextMessage(launcher: ChildProcess): Promise<unknown> {
  const [message] = await Promise.race([
    once(launcher, 'message'),
    once(launcher, 'exit').then(([code]) => Promise.reject(new Error(`the launcher ended with ${code}`))),
  ]);
  return message;
}

function formatCells(
  size: number,
  bytesEach: number,
  { record, runs, measurements }: JobStepCosts,
): readonly string[] {
  const first = gatheringSeconds(runs[0]);
  const last = gatheringSeconds(runs.at(-1));
  const barriers = median(runs.flat().map(({ barriersMs }) => barriersMs)) / MS_PER_SECOND;
  const report = JSON.stringify({ job: record, runs: [{ measurements }] }).length;
  const meetsTarget = Math.max(first, last) < TARGET.seconds && report < TARGET.reportBytes;
  return [
    String(size),
    bytesEach.toFixed(0),
    ...[first, last, barriers].map((seconds) => `${seconds.toFixed(3)} s`),
    `${(report / MIB).toFixed(2)} MiB`,
    size === TARGET.ranks ? `< ${TARGET.seconds} s, < 16 MiB: ${meetsTarget ? 'met' : 'missed'}` : '',
  ];
}

function gatheringSeconds(steps: readonly StepCost[] = []): number {
  return median(steps.map(({ gatheringMs }) => gatheringMs)) / MS_PER_SECOND;
}

function formatRow(cells: readonly string[]): string {
  return `${cells
    .map((cell, at) => cell.padStart(HEADINGS[at]?.length ?? 0))
    .join('  ')
    .trimEnd()}\n`;
}
