import path from 'node:path';
import type { Measurement, Report } from '../../src/report/schema/report.js';
import { findScratch, makePublicDirectory } from '../support/disks/directory.js';
import { type ProcessOutput, runInProcess } from '../support/programs/in-process.js';
import { type ProgramOptions, runGobonnie } from '../support/programs/program.js';
import { readReportFile } from '../support/programs/read-report-file.js';

/** The outcome of a run of the real program. */
export interface MeasuredRun extends ProcessOutput {
  readonly report: Report;
}

/** An action after a phase of a run and before the next one. */
export interface PhaseAction {
  readonly after: 'Sequential Write' | 'Sequential Read' | 'IOPS';
  /** The first run by default. */
  readonly run?: number;
  readonly act: (scratch: string) => void;
}

/** Small enough to be quick, but large compared with the filesystem's own I/O. */
const QUICK = ['--size', '0.1', '--threads', '2', '--iops-duration', '0.2'];

/** Runs the real program in `dir` from start to end, with quick defaults. */
export async function measureFilesystem(
  dir: string,
  flags: readonly string[],
  options: ProgramOptions = {},
): Promise<MeasuredRun> {
  const out = outFile();
  const { stdout, stderr, exitCode } = await runGobonnie(argsFor(dir, out, flags), options);
  return { stdout, stderr, exitCode, report: readReportFile(out) };
}

/** Runs the program in this process, with quick defaults, and acts at the given moments. */
export async function measureWithActions(
  dir: string,
  flags: readonly string[],
  actions: readonly PhaseAction[],
): Promise<MeasuredRun> {
  const out = outFile();
  const titles: string[] = [];
  const output = await runInProcess(argsFor(dir, out, flags), {
    onStdoutLine: (line) => {
      const [title = ''] = line.split(/ MB\/s: |: /);
      titles.push(title);
      const run = titles.filter((other) => other === title).length;
      const due = actions.filter((moment) => moment.after === title && (moment.run ?? 1) === run);
      for (const { act } of due) act(findScratch(dir) ?? '');
      return undefined;
    },
  });
  return { ...output, report: readReportFile(out) };
}

function argsFor(dir: string, out: string, flags: readonly string[]): readonly string[] {
  return ['-v', '--dir', dir, '--out', out, ...QUICK, ...flags];
}

function outFile(): string {
  return path.join(makePublicDirectory(), 'report.json');
}

export function findPhase({ runs }: Report, name: string): Measurement {
  const found = runs[0]?.measurements.find(({ phase }) => phase === name);
  if (!found) throw new Error(`${name} was not measured`);
  return found;
}

/** The share of a phase that the device served. */
export function deviceShare(report: Report, name: string): number {
  return findPhase(report, name).device.share ?? Number.NaN;
}

/** The report's warnings as `code phase`. */
export function warningNames({ warnings }: Report): readonly string[] {
  return warnings.map(({ code, phase }) => (phase === null ? code : `${code} ${phase}`));
}
