import path from 'node:path';
import type { Measurement, Report } from '../../src/report/schema/report.js';
import { findScratch, makePublicDirectory } from '../support/disks/directory.js';
import { type ProcessOutput, runInProcess } from '../support/programs/in-process.js';
import { type ProgramOptions, runGobonnie } from '../support/programs/program.js';
import { readReportFile } from '../support/programs/read-report-file.js';

/** Output and report of a run. */
export interface MeasuredRun extends ProcessOutput {
  readonly report: Report;
}

/** An action between a phase and the next phase of a run. */
export interface PhaseAction {
  readonly after: 'Sequential Write' | 'Sequential Read' | 'IOPS';
  /** Number of the run; 1 by default. */
  readonly run?: number;
  readonly act: (scratch: string) => void;
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

/** Runs the program in this process, with quick defaults, and runs the actions after their phases. */
export async function measureWithActions(
  dir: string,
  flags: readonly string[],
  actions: readonly PhaseAction[],
): Promise<MeasuredRun> {
  const out = createReportPath();
  const titles: string[] = [];
  const output = await runInProcess(buildArgs(dir, out, flags), {
    onStdoutLine: (line) => {
      const [title = ''] = line.split(/ MB\/s: |: /);
      titles.push(title);
      const run = titles.filter((other) => other === title).length;
      const due = actions.filter((action) => action.after === title && (action.run ?? 1) === run);
      for (const { act } of due) act(findScratch(dir) ?? '');
      return undefined;
    },
  });
  return { ...output, report: readReportFile(out) };
}

function buildArgs(dir: string, out: string, flags: readonly string[]): readonly string[] {
  return ['-v', '--dir', dir, '--out', out, ...QUICK, ...flags];
}

function createReportPath(): string {
  return path.join(makePublicDirectory(), 'report.json');
}

export function findPhase({ runs }: Report, name: string): Measurement {
  const measurement = runs[0]?.measurements.find(({ phase }) => phase === name);
  if (!measurement) throw new Error(`${name} was not measured`);
  return measurement;
}

/** Returns the share of a phase's data that the device transferred, or NaN. */
export function deviceShare(report: Report, name: string): number {
  return findPhase(report, name).device.share ?? Number.NaN;
}

/** Returns the report's warnings as `code phase`. */
export function warningNames({ warnings }: Report): readonly string[] {
  return warnings.map(({ code, phase }) => (phase === null ? code : `${code} ${phase}`));
}
