import { validateOptions } from '../../../src/options/validate-options.js';
import { type PresetName, presets } from '../../../src/presets/preset-catalogue.js';
import type { Measurement, Report, ReportedStep } from '../../../src/report/schema/report.js';
import { measurementWith, reportWith, runWith } from './fixtures.js';

export interface MeasuredStep {
  readonly step: Partial<ReportedStep> & Pick<ReportedStep, 'name'>;
  /** The bytes per second of each run. */
  readonly rates: readonly number[];
  readonly facts?: Partial<Measurement>;
}

/** Returns a report of runs of these steps. All operations succeed within one second. */
export function stepsReport(measured: readonly MeasuredStep[], facts: Partial<Report> = {}): Report {
  const report = reportWith();
  const complete = measured.map((one) => ({ ...one, step: completeStep(one.step) }));
  const count = Math.max(...measured.map(({ rates }) => rates.length));
  const runs = Array.from({ length: count }, (_, run) =>
    runWith({
      measurements: complete.map(({ step, rates, facts: own }) => toMeasurement(step, rates[run] ?? 0, own)),
    }),
  );
  const steps = complete.map(({ step }) => step);
  return { ...report, options: { ...report.options, phases: [], steps }, runs, ...facts };
}

/** Returns the steps of a preset, each with the same rate in both runs. */
export function presetSteps(name: PresetName, rate: number): readonly MeasuredStep[] {
  const { steps = [] } = validateOptions(presets[name].options);
  return steps.map(({ name: step = '', phase, threads = 1, depth = 1, blockSize, ioSize, mix }) => ({
    step: {
      name: step,
      phase,
      threads,
      depth,
      ioBytes: ioSize ?? blockSize ?? 0,
      mixPercent: mix ?? (phase === 'read' ? 100 : 0),
    },
    rates: [rate, rate],
  }));
}

function completeStep(step: MeasuredStep['step']): ReportedStep {
  return {
    phase: 'random',
    threads: 1,
    engine: 'threads',
    depth: 1,
    ioBytes: 4096,
    mixPercent: 100,
    direct: true,
    fsync: false,
    syncPerWrite: null,
    seconds: 1.1,
    maxBytes: null,
    ...step,
  };
}

/** A mixed step has equal reads and writes of whole operations. */
function toMeasurement(
  step: ReportedStep,
  bytesPerSecond: number,
  facts?: Partial<Measurement>,
): Measurement {
  const operationsPerSecond = bytesPerSecond / step.ioBytes;
  const rate = { bytesPerSecond, operationsPerSecond };
  const [readShare, isMixed] = [step.mixPercent / 100, step.mixPercent % 100 !== 0];
  const part = (share: number) => ({
    bytes: bytesPerSecond * share,
    operations: operationsPerSecond * share,
    bytesPerSecond: bytesPerSecond * share,
    operationsPerSecond: operationsPerSecond * share,
    latencyNs: null,
  });
  return measurementWith({
    step: step.name,
    title: step.name,
    phase: step.phase,
    primaryRate: step.phase === 'random' ? 'operations' : 'bytes',
    threads: step.threads,
    readBytes: bytesPerSecond * readShare,
    writtenBytes: bytesPerSecond * (1 - readShare),
    ...rate,
    ...(isMixed && { reads: part(readShare), writes: part(1 - readShare) }),
    ...facts,
  });
}
