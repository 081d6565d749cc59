import path from 'node:path';
import type { Report } from '../../src/report/schema/report.js';
import { findMeasurement } from '../support/data/all-phases.js';
import { findScratch, makePublicDirectory } from '../support/disks/directory.js';
import { type ProcessOutput, runInProcess } from '../support/programs/in-process.js';
import { type ProgramOptions, runGobonnie } from '../support/programs/program.js';
import { readReportFile } from '../support/programs/read-report-file.js';
import { omitFlagsWithoutEffect } from '../support/programs/small-run.js';

/** Output and report of a run. */
export interface MeasuredRun extends ProcessOutput {
  readonly report: Report;
}

/** Small enough to be quick, but large compared to the filesystem's own I/O. */
const QUICK = ['--size', '0.1', '--threads', '2', '--iops-duration', '0.2'];

/** Runs the built program in `dir`, with quick defaults. */
export async function measureFilesystem(
  dir: string,
  flags: readonly string[],
  options: ProgramOptions = {},
): Promise<MeasuredRun> {
  const out = createReportPath();
  const { stdout, stderr, exitCode } = await runGobonnie(buildArgs(dir, out, flags), options);
  return { stdout, stderr, exitCode, report: readReportFile(out) };
}

/** Runs the program in this process, with quick defaults, and calls `act` with the scratch directory after a phase. */
export async function measureWithAction(
  dir: string,
  flags: readonly string[],
  after: 'Sequential Write' | 'Sequential Read',
  act: (scratch: string) => void,
): Promise<MeasuredRun> {
  const out = createReportPath();
  const output = await runInProcess(buildArgs(dir, out, flags), {
    onStdoutLine: (line) => {
      if (line.startsWith(after)) act(findScratch(dir) ?? '');
      return undefined;
    },
  });
  return { ...output, report: readReportFile(out) };
}

function buildArgs(dir: string, out: string, flags: readonly string[]): readonly string[] {
  return omitFlagsWithoutEffect(['-v', '--dir', dir, '--out', out, ...QUICK, ...flags]);
}

function createReportPath(): string {
  return path.join(makePublicDirectory(), 'report.json');
}

/** Returns the share of a phase's data that the device transferred, or NaN. */
export function deviceShare(report: Report, name: string): number {
  return findMeasurement(report, name).device.share ?? Number.NaN;
}

/** Returns the report's warnings as `code phase`. */
export function warningNames({ warnings }: Report): readonly string[] {
  return warnings.map(({ code, step }) => (step === null ? code : `${code} ${step}`));
}
