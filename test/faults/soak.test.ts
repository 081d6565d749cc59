import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { KIB, MIB } from '../../src/text/units.js';
import { ALL_PHASES } from '../support/data/all-phases.js';
import { makeDirectory } from '../support/disks/directory.js';
import { ENTRY, startProcess } from '../support/programs/program.js';
import { requireTools } from '../support/tools.js';

/** Ten minutes are promised; a leak shows in less. */
const SECONDS = Number(process.env.SOAK_SECONDS ?? 15);
/** Enough, even on a slow machine, to compare the quarters with each other. */
const MIN_RUNS = 60;
const SAMPLE_EVERY_MS = 10;

/**
 * Garbage hides a leak, and the kernel's count of a process's memory has more noise than a leak of a hundred runs. So
 * the real program collects its garbage now and then, and prints how much memory V8 holds after that.
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

/** The report keeps every run, in objects of almost three times the size of its text. */
const HELD_PER_REPORT_BYTE = 4;
/** This much more may be held for a moment: 20 KiB for each of fifty runs. */
const SLACK_BYTES = MIB;
/** For memory outside V8's heap, and what the compiler and the allocators take in the first minutes. */
const RESIDENT_SLACK_BYTES = 24 * MIB;

/** The program at one moment. */
interface ProgramSample {
  readonly runs: number;
  readonly files: number;
  readonly threads: number;
  /** By the kernel's count, and by V8's. */
  readonly residentBytes: number;
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
  let [runs, heldBytes] = [0, Number.POSITIVE_INFINITY];
  child.stdout?.on('data', (text: string) => {
    runs += text.split('Random Delete').length - 1;
  });
  child.stderr?.on('data', (text: string) => {
    heldBytes = Number(text.trimEnd().split('\n').at(-1));
  });
  while (child.exitCode === null && child.signalCode === null) {
    const reportBytes = statSync(report, { throwIfNoEntry: false })?.size ?? 0;
    const seen = sampleProcess(child.pid ?? 0);
    if (seen) samples.push({ ...seen, runs, heldBytes, reportBytes });
    await wait(SAMPLE_EVERY_MS);
  }
  const { stderr, exitCode } = await exitResult;
  expect(stderr).toMatch(/^[\d\n]*$/);
  expect(exitCode).toBe(0);
  // A run's last line arrives a little late, and that of the last run while the program ends.
  return samples.filter((sample) => sample.runs < runs - 1);
}

/** Seen from outside; null if the process has just ended. */
function sampleProcess(pid: number): Pick<ProgramSample, 'files' | 'threads' | 'residentBytes'> | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const numberOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
    const files = readdirSync(`/proc/${pid}/fd`).length;
    return { files, threads: numberOf('Threads'), residentBytes: numberOf('VmRSS') * KIB };
  } catch {
    return null;
  }
}

/** The smallest values in a quarter of the runs, which leave out what is held only for a moment. */
function minimumsIn(quarter: number, samples: readonly ProgramSample[]): ProgramSample {
  const all = (samples.at(-1)?.runs ?? 0) + 1;
  const some = samples.filter(({ runs }) => Math.floor((4 * runs) / all) === quarter - 1);
  const least = (key: keyof ProgramSample) => Math.min(...some.map((sample) => sample[key]));
  return {
    ...{ runs: least('runs'), files: least('files'), threads: least('threads') },
    ...{ residentBytes: least('residentBytes'), heldBytes: least('heldBytes') },
    reportBytes: least('reportBytes'),
  };
}

beforeEach(requireTools('/proc/self/io'));

test('over many runs open files and threads stay the same, and memory grows only with the report', {
  timeout: (SECONDS * 2 + 120) * 1000,
}, async () => {
  const samples = await sampleProgram();
  // The first quarter warms up.
  const [before, after] = [minimumsIn(2, samples), minimumsIn(4, samples)];
  const grown = (key: keyof ProgramSample) => after[key] - before[key];
  const perRun = (key: keyof ProgramSample) => `${(grown(key) / KIB / grown('runs')).toFixed(0)} KiB`;
  process.stdout.write(
    `soak: ${SECONDS} s, ${after.files} files, ${after.threads} threads; in ${grown('runs')} runs each held ` +
      `${perRun('heldBytes')} for ${perRun('reportBytes')} of the report, and ${perRun('residentBytes')} of memory; ` +
      `at the end ${(after.residentBytes / MIB).toFixed(0)} MiB\n`,
  );
  expect([after.files, after.threads]).toEqual([before.files, before.threads]);
  const needed = HELD_PER_REPORT_BYTE * grown('reportBytes');
  expect(grown('heldBytes')).toBeLessThan(needed + SLACK_BYTES);
  expect(grown('residentBytes')).toBeLessThan(needed + RESIDENT_SLACK_BYTES);
});
