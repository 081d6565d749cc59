import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { MIB } from '../../src/text/units.js';
import { ALL_PHASES } from '../support/data/all-phases.js';
import { makeDirectory } from '../support/disks/directory.js';
import { ENTRY, startProcess } from '../support/programs/program.js';
import { requireTools } from '../support/tools.js';

/** Shorter than the ten minutes of a full soak test: a leak shows within seconds. */
const SECONDS = Number(process.env.SOAK_SECONDS ?? 15);
/** Enough to compare quarters of the runs, even on a slow machine. */
const MIN_RUNS = 32;
const SAMPLE_EVERY_MS = 10;

/**
 * Garbage hides a leak, and the kernel's memory count is noisier than the leak of a hundred runs. So the program
 * collects garbage every 200 ms and then prints the memory that V8 holds.
 */
const PRINT_MEMORY = `
  import { writeSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  const print = () => {
    gc();
    // The first collection frees buffers in the background.
    gc();
    const { heapUsed, external } = process.memoryUsage();
    writeSync(2, heapUsed + external + '\\n');
  };
  if (isMainThread) setInterval(print, 200).unref();`;
const NODE = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(PRINT_MEMORY)}`];
const RUN = [
  ...['--size', '0.002', '--threads', '2', '--iops-duration', '0.02', '--phases', ALL_PHASES.join(',')],
  ...['--byte-size', '4k', '--seeks', '20', '--files', '16'],
  ...['--runs', String(MIN_RUNS), '--seconds', String(SECONDS)],
];

/** The report keeps every run in RAM, in objects of almost three times the size of its text. */
const HELD_PER_REPORT_BYTE = 4;
/** Temporary memory: 20 KiB for each of fifty runs. */
const SLACK_BYTES = MIB;

/** State of the program at one time. */
interface ProgramSample {
  readonly runs: number;
  readonly files: number;
  readonly threads: number;
  /** Memory that V8 holds. */
  readonly heldBytes: number;
  readonly reportBytes: number;
}

/** Takes samples of the program until it ends. */
async function sampleProgram(): Promise<readonly ProgramSample[]> {
  const report = path.join(makeDirectory(), 'report.json');
  const args = [...NODE, ENTRY, '-q', '--dir', makeDirectory(), '--out', report, ...RUN];
  const { child, exitResult } = startProcess(process.execPath, args);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exitResult;
  });
  const samples: ProgramSample[] = [];
  let runs = 0;
  let heldBytes = Number.POSITIVE_INFINITY;
  child.stdout?.on('data', (text: string) => {
    runs += text.split('Random Delete').length - 1;
  });
  child.stderr?.on('data', (text: string) => {
    heldBytes = Number(text.trimEnd().split('\n').at(-1));
  });
  while (child.exitCode === null && child.signalCode === null) {
    const reportBytes = statSync(report, { throwIfNoEntry: false })?.size ?? 0;
    const sample = sampleProcess(child.pid ?? 0);
    if (sample) samples.push({ ...sample, runs, heldBytes, reportBytes });
    await wait(SAMPLE_EVERY_MS);
  }
  const { stderr, exitCode } = await exitResult;
  expect(stderr).toMatch(/^[\d\n]*$/);
  expect(exitCode).toBe(0);
  // The last line of a run arrives late, and the last run's line arrives while the program exits.
  return samples.filter((sample) => sample.runs < runs - 1);
}

/** Reads the process's state from /proc; returns null if the process has just ended. */
function sampleProcess(pid: number): Pick<ProgramSample, 'files' | 'threads'> | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const files = readdirSync(`/proc/${pid}/fd`).length;
    return { files, threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]) };
  } catch {
    return null;
  }
}

/** Returns the smallest values in a quarter of the runs, to ignore temporary memory. */
function findMinimums(quarter: number, samples: readonly ProgramSample[]): ProgramSample {
  const runCount = (samples.at(-1)?.runs ?? 0) + 1;
  const part = samples.filter(({ runs }) => Math.floor((4 * runs) / runCount) === quarter - 1);
  const keys = Object.keys(part[0] ?? {}) as (keyof ProgramSample)[];
  const minimums = keys.map((key) => [key, Math.min(...part.map((sample) => sample[key]))]);
  return Object.fromEntries(minimums) as ProgramSample;
}

beforeEach(requireTools('/proc/self/io'));

test('over many runs, open files and threads remain constant, and memory grows only with the report', async () => {
  const samples = await sampleProgram();
  // The first quarter warms up.
  const before = findMinimums(2, samples);
  const after = findMinimums(4, samples);
  const growth = (key: keyof ProgramSample) => after[key] - before[key];
  expect([after.files, after.threads]).toEqual([before.files, before.threads]);
  const needed = HELD_PER_REPORT_BYTE * growth('reportBytes');
  expect(growth('heldBytes')).toBeLessThan(needed + SLACK_BYTES);
});
