import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Measurement, type Report, reportSchema } from '../../src/report/schema/report.js';
import { makeOpenDirectory, scratchIn } from '../support/directory.js';
import { gobonnie, type ProgramOptions } from '../support/program.js';
import { gobonnieHere, type Said } from '../support/program-here.js';

/** What a run of the real program left behind. */
export interface Measured extends Said {
  readonly report: Report;
}

/** Something that happens when a phase of a run has been measured, and before the next one begins. */
export interface Moment {
  readonly after: 'Sequential Write' | 'Sequential Read' | 'IOPS';
  /** The first one where it is not said. */
  readonly run?: number;
  readonly act: (scratch: string) => void;
}

/** Small enough to be quick, and large beside what a filesystem writes and reads for itself. */
const QUICK = ['--size', '0.1', '--threads', '2', '--iops-duration', '0.2'];

/** Runs the real program in `dir` from start to end; what `flags` do not say is quick. */
export async function measured(
  dir: string,
  flags: readonly string[],
  options: ProgramOptions = {},
): Promise<Measured> {
  const out = outFile();
  const { stdout, stderr, exitCode } = await gobonnie(argsFor(dir, out, flags), options);
  return { stdout, stderr, exitCode, report: reportIn(out) };
}

/** Runs it in this process, which waits while `moments` act. */
export async function measuredWith(
  dir: string,
  flags: readonly string[],
  moments: readonly Moment[],
): Promise<Measured> {
  const out = outFile();
  const told: string[] = [];
  const said = await gobonnieHere(argsFor(dir, out, flags), {
    onLine: (line) => {
      const [title = ''] = line.split(/ MB\/s: |: /);
      told.push(title);
      const run = told.filter((other) => other === title).length;
      const due = moments.filter((moment) => moment.after === title && (moment.run ?? 1) === run);
      for (const { act } of due) act(scratchIn(dir) ?? '');
      return undefined;
    },
  });
  return { ...said, report: reportIn(out) };
}

function argsFor(dir: string, out: string, flags: readonly string[]): readonly string[] {
  return ['-v', '--dir', dir, '--out', out, ...QUICK, ...flags];
}

function outFile(): string {
  return path.join(makeOpenDirectory(), 'report.json');
}

function reportIn(out: string): Report {
  return reportSchema.parse(JSON.parse(readFileSync(out, 'utf8')));
}

export function phaseOf({ runs }: Report, name: string): Measurement {
  const found = runs[0]?.measurements.find(({ phase }) => phase === name);
  if (!found) throw new Error(`${name} was not measured`);
  return found;
}

/** How much of a phase the device served. */
export function shareOf(report: Report, name: string): number {
  return phaseOf(report, name).device.share ?? Number.NaN;
}

/** The report's warnings as `code phase`. */
export function warned({ warnings }: Report): readonly string[] {
  return warnings.map(({ code, phase }) => (phase === null ? code : `${code} ${phase}`));
}
