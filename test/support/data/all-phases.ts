import { type OptionsInput, type Report, type RunEvent, run } from 'gobonnie';
import { isToolDataset } from '../../../workers/phases/phase.js';
import { phases } from '../../../workers/phases/phase-catalogue.js';

/** Every phase except the models of developers' tools and the reads of existing files, in the catalogue's order. */
export const ALL_PHASES = phases
  .filter(({ dataset }) => !isToolDataset(dataset) && dataset !== 'existing')
  .map(({ name }) => name);

export const BLOCK_BYTES = 65_536;
export const BLOCKS = 65;
export const FILES = 100;
export const SEEKS = 230;

/** Options of a very short run of any phases. The first thread gets one of the 65 blocks more than the second. */
const ALL_PHASES_OPTIONS = {
  size: (BLOCKS * BLOCK_BYTES) / 1024 ** 3,
  threads: 2,
  iopsDuration: 0.1,
  files: FILES,
  seeks: SEEKS,
  seed: 11,
} as const;

/** The same options for the command line. */
export const ALL_PHASES_FLAGS = [
  ...['--size', String(ALL_PHASES_OPTIONS.size), '--threads', '2', '--iops-duration', '0.1'],
  ...['--files', String(FILES), '--seeks', String(SEEKS), '--seed', '11'],
];

/** Runs phases, and calls `inspect` with the scratch directory at the end of each phase. */
export function runPhases(
  options: OptionsInput,
  inspect: (phase: string, scratch: string, run: number) => void = () => {},
): Promise<Report> {
  let scratch = '';
  const onEvent = (event: RunEvent) => {
    if (event.type === 'start') scratch = event.report.target.scratchDirectory;
    if (event.type === 'step-end') inspect(event.measurement.phase, scratch, event.run);
  };
  return run({ ...ALL_PHASES_OPTIONS, ...options }, { onEvent });
}

/** Returns the measurement of a phase of the first run. */
export function findMeasurement({ runs }: Report, phase: string) {
  const measurement = runs[0]?.measurements.find((entry) => entry.phase === phase);
  if (!measurement) throw new Error(`${phase} was not measured`);
  return measurement;
}
