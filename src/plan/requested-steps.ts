import { type Phase, supportsDirect } from '../../workers/phases/phase.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import { DIRECT_UNIT_BYTES, type Transfer } from '../../workers/protocol.js';
import type { NamedStep, Options } from '../options/options-schema.js';
import { listConcurrent } from '../report/listed-steps.js';
import { GIB, MS_PER_SECOND } from '../text/units.js';

/** The facts of a step that do not depend on the machine. */
export interface StepFacts {
  /** Unique in a plan. Results, conditions and comparisons go by it. */
  readonly name: string;
  readonly title: string;
  readonly phase: Phase;
  /** True if its result is kept even if the page cache served part of it. */
  readonly keepsCached: boolean;
  /** The time without I/O before it. */
  readonly pauseSeconds: number;
  /** The name of the step beside which it runs, until that one ends. Null for a step that is measured for itself. */
  readonly beside: string | null;
  readonly dataFiles: DataFiles;
  /** False if another step runs at the same time. */
  readonly isAlone: boolean;
}

/** A step as requested, before it is planned on a machine. */
export interface RequestedStep extends StepFacts {
  /** The options of the run, with the settings of this step. */
  readonly options: Options;
  /** If undefined, the options decide. */
  readonly syncPerWrite?: Transfer['syncPerWrite'] | undefined;
  readonly intervalMs: number | null;
  /** Infinite without a maximum. */
  readonly maxBytes: number;
  /** Its index in the list. Undefined outside a list. */
  readonly index?: number;
}

/**
 * The files of the shared data that a step uses: one, because steps that run at the same time use different files, or all.
 * The layout writes each of them with threads of its own: if it has to stop early, it has written a part of each.
 */
type DataFiles = number | 'all' | 'each';

export interface RequestedSteps {
  /** The options with which the data is laid out. */
  readonly options: Options;
  /** True if all steps use the same data. Otherwise, each thread has its own. */
  readonly sharesData: boolean;
  /** True if the first step fills the disk with the shared data, in many files. */
  readonly fills: boolean;
  /** Writes the shared data, unmeasured. Null if the steps create their data. */
  readonly layout: RequestedStep | null;
  readonly steps: readonly RequestedStep[];
}

/** Completes the phases or the list of steps of the options. The rest of a plan does not depend on which they are. */
export function requestSteps(options: Options): RequestedSteps {
  const { steps, phases } = options;
  if (!steps) {
    const requested = phases.map((name) => requestPhase(getPhase(name), options));
    return { options, sharesData: false, fills: false, layout: null, steps: requested };
  }
  const shared = toSharedOptions(options, steps);
  const fills = steps[0]?.phase === 'fill';
  const usesData = steps.some(({ phase }) => phase !== 'write-new' && getPhase(phase).dataset === 'data');
  const layout = {
    ...requestPhase(getPhase('write'), shared),
    name: 'layout',
    title: 'Layout',
    dataFiles: 'each' as const,
  };
  const own = { ...shared, blockSize: options.blockSize };
  const requested = steps.map((step, index) => {
    const concurrent = listConcurrent(step, steps);
    const dataFiles: DataFiles = fills ? 'all' : concurrent.indexOf(step);
    return { ...requestStep(step, own), dataFiles, isAlone: concurrent.length === 1, index };
  });
  return {
    options: {
      ...shared,
      oneFile: requested.every(({ dataFiles }) => dataFiles === 0),
      ...(fills && { verify: true }),
    },
    sharesData: true,
    fills,
    layout: usesData && !fills ? layout : null,
    steps: requested,
  };
}

/** Returns the phases in their order, first that of the layout, with the share of reads that the options set. */
export function listPhases({ layout, steps }: RequestedSteps): readonly Phase[] {
  return (layout ? [layout, ...steps] : steps).map(({ phase, options }) => ({
    readPercent: options.mix,
    ...phase,
  }));
}

/** Returns the index of the threads that run a step, and of its file: 0 for a step that is measured for itself. */
export function workerGroup({ dataFiles }: Pick<StepFacts, 'dataFiles'>): number {
  return typeof dataFiles === 'number' ? dataFiles : 0;
}

/** Returns the number of files of shared data: one for each of the steps that run at the same time. */
export function countSharedFiles({ steps }: RequestedSteps): number {
  return 1 + Math.max(...steps.map(workerGroup));
}

/** Returns options with blocks of the largest size, which suit direct I/O. */
function toSharedOptions(options: Options, steps: readonly NamedStep[]): Options {
  const sizes = steps.map(({ phase, blockSize = options.blockSize, ioSize = options.ioSize }) =>
    getPhase(phase).ioUnit === 'random-blocks' ? ioSize : blockSize,
  );
  const largest = Math.max(options.blockSize, ...sizes);
  const blockSize = Math.ceil(largest / DIRECT_UNIT_BYTES) * DIRECT_UNIT_BYTES;
  return { ...options, blockSize, ioSize: Math.min(options.ioSize, blockSize) };
}

function requestPhase(phase: Phase, options: Options): RequestedStep {
  return {
    name: phase.name,
    title: phase.title,
    phase,
    options,
    keepsCached: options.noFsync,
    pauseSeconds: 0,
    intervalMs: null,
    maxBytes: Number.POSITIVE_INFINITY,
    beside: null,
    dataFiles: 0,
    isAlone: true,
  };
}

function requestStep(own: NamedStep, options: Options): RequestedStep {
  const { threads = options.threads, blockSize = options.blockSize, ioSize = options.ioSize } = own;
  const { mix = options.mix, direct = options.direct, engine = options.engine, depth = options.depth } = own;
  const { name, seconds = options.iopsDuration, fsync = !options.noFsync } = own;
  // The data exists, so a write overwrites it.
  const named = getPhase(own.phase === 'write' ? 'overwrite' : own.phase);
  const phase = { ...named, ...(named.duration && { duration: { seconds, minOperations: 1 } }) };
  // On files of its own, a thread makes one call after the other.
  const queue = phase.dataset === 'data' ? { engine, depth } : { engine: 'threads' as const, depth: 1 };
  const load = { threads, blockSize, ioSize, mix, direct: direct && supportsDirect(phase), ...queue };
  const stonewall = own.phase === 'fill' ? undefined : seconds;
  const ownOptions = { ...options, ...load, noFsync: !fsync, iopsDuration: seconds, stonewall };
  const step = requestPhase(phase, ownOptions);
  return {
    ...step,
    name,
    title: name,
    keepsCached: step.keepsCached || own.direct === false,
    pauseSeconds: own.pause ?? 0,
    syncPerWrite: own.syncPerWrite,
    intervalMs: own.interval === undefined ? null : own.interval * MS_PER_SECOND,
    maxBytes: own.size === undefined ? step.maxBytes : own.size * GIB,
    beside: own.beside ?? null,
  };
}
