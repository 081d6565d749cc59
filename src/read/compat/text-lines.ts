import { phases } from '../../../workers/phases/phase-catalogue.js';
import type { RunResult, StepValues } from '../../report/results.js';
import { MB, MIB } from '../../text/units.js';
import { foreignRun, parseForeignPhase } from './row-parsing.js';

/** `Sequential Write MB/s: 1229.10` of gobonniego and gobonnie, `MiB/s` of bonniego, and `IOPS: 12345` of all three. */
const LINE = /^(?<title>.+?)(?: (?<unit>MB|MiB)\/s)?: (?<rate>\d+(?:\.\d+)?)\r?$/;

/** Reads the lines that gobonniego, bonniego and gobonnie print in a pipe. A run ends before a repeated title. */
export function readTextLines(text: string): readonly RunResult[] {
  const runs: StepValues[][] = [];
  let program = 'gobonniego';
  for (const line of text.split('\n')) {
    const { title, unit, rate = '' } = LINE.exec(line)?.groups ?? {};
    const phase = phases.find(
      (one) => one.title === title && (one.primaryRate === 'bytes') === (unit !== undefined),
    );
    if (!phase) continue;
    if (unit === 'MiB') program = 'bonniego';
    const step = parseForeignPhase(phase.name, [rate, ''], unit === 'MiB' ? MIB : MB);
    const run = runs.at(-1);
    if (!run || run.some((one) => one.step === step.step)) runs.push([step]);
    else run.push(step);
  }
  return runs.map((steps) => foreignRun({ program: { name: program, version: null }, label: '', steps }));
}
