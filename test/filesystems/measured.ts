import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Measurement, type Report, reportSchema } from '../../src/report/report.js';
import { makeOpenDirectory, scratchIn } from '../directory.js';
import { liveGobonnie } from '../live.js';
import type { Ended, ProgramOptions } from '../program.js';

/** What a run of the real program left behind. */
export interface Measured extends Ended {
  readonly report: Report;
}

/** Something that happens while the program is held, once its stderr matches. */
export interface Moment {
  readonly said: RegExp;
  readonly act: (scratch: string) => void;
}

/** Small enough to be quick, and large beside what a filesystem writes and reads for itself. */
const QUICK = ['--size', '0.1', '--threads', '2', '--iops-duration', '0.2'];

/** Runs the real program in `dir` from start to end; what `flags` do not say is quick. */
export async function measured(
  dir: string,
  flags: readonly string[],
  options: ProgramOptions = {},
  moments: readonly Moment[] = [],
): Promise<Measured> {
  const out = path.join(makeOpenDirectory(), 'report.json');
  const program = liveGobonnie(['-v', '--dir', dir, '--out', out, ...QUICK, ...flags], options);
  for (const { said, act } of moments) {
    await program.said(said);
    program.kill('SIGSTOP');
    act(scratchIn(dir) ?? '');
    program.kill('SIGCONT');
  }
  const ended = await program.ended;
  return { ...ended, report: reportSchema.parse(JSON.parse(readFileSync(out, 'utf8'))) };
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
