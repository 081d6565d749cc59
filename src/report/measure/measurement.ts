import type { LatencyTally } from '../../../workers/latency-recorder.js';
import { type Phase, supportsDirect } from '../../../workers/phases/phase.js';
import {
  canSyncDirectories,
  type IoBytes,
  type Transfer,
  type WorkerTally,
} from '../../../workers/protocol.js';
import type { Machine } from '../../machine/machine-schema.js';
import { MICROSECONDS_PER_SECOND } from '../../text/units.js';
import type { TimedOperation } from '../schema/measurement-schema.js';
import type { Latency, Measurement, TimeSeries } from '../schema/report.js';
import { sum } from '../statistics/statistics.js';
import { findCliff } from './cliff.js';
import { computeDeviceIo, computeToolIo, type IoCounters } from './device.js';
import { slowestSeconds } from './elapsed.js';
import { summarizeLatency } from './latency-summary.js';
import { interpolatePoint, PROGRESS_START, progressPoints, rateBetween } from './progress.js';

export interface PhaseCounters extends IoCounters {
  readonly cpu: { readonly userSeconds: number; readonly systemSeconds: number };
  readonly hostCpu: Measurement['hostCpu'];
}

export interface PhaseData {
  readonly tallies: readonly WorkerTally[];
  readonly gateNs: bigint;
  readonly series: TimeSeries;
  /** How long gobonnie itself was suspended during the phase. */
  readonly suspendedSeconds: number;
  readonly slowest?: readonly TimedOperation[];
  readonly counters: PhaseCounters;
  readonly isCacheDropped: boolean;
  /** How long a step beside another ran before that one started. Its rates are those afterwards. */
  readonly leadSeconds?: number;
}

export interface MeasuredStep {
  readonly name: string;
  readonly title: string;
  readonly transfer: Transfer;
  /** False if another step ran at the same time, so the counts of the process include its I/O. */
  readonly isAlone: boolean;
}

/** Merges one step of one run, which lasts from the gate until the last worker has finished. */
export function mergeTallies(
  { name, title, transfer, isAlone }: MeasuredStep,
  phase: Phase,
  { tallies, gateNs, series, suspendedSeconds, slowest, counters, isCacheDropped, leadSeconds }: PhaseData,
  { pageBytes, processors, target }: Machine,
): Measurement {
  const { primaryRate, ioUnit } = phase;
  const { readBytes, writtenBytes } = sumIoBytes(tallies);
  const bytes = countMovedBytes(primaryRate, readBytes, writtenBytes);
  const operations = sum(tallies.map((tally) => tally.operations));
  const seconds = slowestSeconds(name, tallies, gateNs, transfer.depth);
  const moved = ioUnit === 'files' ? tallies.map((tally) => roundUpToPages(tally, pageBytes)) : tallies;
  const context = { ...target, pageBytes, processors, isCacheDropped };
  const ownCounters = isAlone ? counters : { ...counters, ...countThreadIo(tallies, transfer) };
  const phaseTransfer = toPhaseTransfer(ioUnit, transfer, readBytes + writtenBytes > 0);
  const device =
    ioUnit === 'tool-calls'
      ? computeToolIo(phase, ownCounters, context)
      : computeDeviceIo(sumIoBytes(moved), phaseTransfer, phase, ownCounters, context);
  const latencies = tallies.map(({ latency }) => latency);
  const writeLatencies = tallies.map(({ writeLatency }) => writeLatency);
  const isCopying = isCopyIntoCache(ioUnit, transfer);
  const isCopy = isCopying && readBytes === 0 && writtenBytes > 0;
  const summary = summarizeLatency(isCopying && !isCopy ? latencies : [...latencies, ...writeLatencies]);
  const latencyNs = isCopy ? null : summary;
  const [writeAlone, syncAlone] = (['write', 'sync'] as const).map((part) =>
    summarizeLatency(tallies.flatMap(({ parts }) => parts?.[part] ?? [])),
  );
  const rates = computeRates({ bytes, operations, seconds }, series, leadSeconds);
  const isMixed = ioUnit === 'random-blocks' && readBytes > 0 && writtenBytes > 0;
  const mixPart = (partBytes: number, partLatencies: readonly LatencyTally[]) =>
    toMixPart(
      partBytes,
      partBytes / transfer.ioSizeBytes,
      { bytes, ...rates },
      summarizeLatency(partLatencies),
    );
  return {
    step: name,
    phase: phase.name,
    title,
    primaryRate,
    threads: tallies.length,
    bytes,
    readBytes,
    writtenBytes,
    operations,
    seconds,
    ...rates,
    direct: transfer.direct && supportsDirect(phase),
    device,
    otherIo: computeOtherIo(counters),
    cpu: computeCpu(counters.cpu, seconds, isAlone ? operations : 0),
    hostCpu: counters.hostCpu,
    latencyNs,
    ...(isMixed && {
      reads: mixPart(readBytes, latencies),
      writes: mixPart(writtenBytes, isCopying ? [] : writeLatencies),
    }),
    ...(isCopy && { copyLatencyNs: summary }),
    ...(writeAlone &&
      syncAlone && { syncedWrites: { writeLatencyNs: writeAlone, syncLatencyNs: syncAlone } }),
    cliff: findCliff(progressPoints({ series, primaryRate })),
    series: capLatencies(series, latencyNs?.max ?? null),
    ...(slowest && { slowest: [...slowest] }),
    ...(suspendedSeconds > 0 && { suspendedSeconds: Math.min(suspendedSeconds, seconds) }),
  };
}

type Amounts = Readonly<Record<'bytes' | 'operations' | 'seconds', number>>;

function computeRates(whole: Amounts, series: TimeSeries, leadSeconds = 0) {
  const rateAfterLead = (unit: Measurement['primaryRate']) => {
    const curve = [PROGRESS_START, ...progressPoints({ series, primaryRate: unit })];
    const end = { seconds: whole.seconds, amount: whole[unit] };
    return rateBetween(interpolatePoint(curve, leadSeconds), end);
  };
  return { bytesPerSecond: rateAfterLead('bytes'), operationsPerSecond: rateAfterLead('operations') };
}

/** True if a write returns as soon as the page cache has its data. */
export function isCopyIntoCache(
  ioUnit: Phase['ioUnit'],
  { direct, syncPerWrite }: Pick<Transfer, 'direct' | 'syncPerWrite'>,
): boolean {
  return supportsDirect({ ioUnit }) && !direct && syncPerWrite === null;
}

export type Throughput = Pick<Measurement, 'bytes' | 'bytesPerSecond' | 'operationsPerSecond'>;

/** Returns the reads or the writes of random operations that do both, with their share of the rates. */
export function toMixPart(bytes: number, operations: number, whole: Throughput, latencyNs: Latency | null) {
  const share = bytes / whole.bytes;
  return {
    bytes,
    operations,
    bytesPerSecond: whole.bytesPerSecond * share,
    operationsPerSecond: whole.operationsPerSecond * share,
    latencyNs,
  };
}

/** Caps the series at the longest latency: its values are bucket bounds, which may exceed it. Without one, leaves them out. */
function capLatencies({ latencyNs, ...series }: TimeSeries, maxNs: number | null): TimeSeries {
  if (!latencyNs || maxNs === null) return series;
  const capAll = (values: readonly (number | null)[]) =>
    values.map((value) => value && Math.min(value, maxNs));
  const { p50, p99, max } = latencyNs;
  return { ...series, latencyNs: { p50: capAll(p50), p99: capAll(p99), max: capAll(max) } };
}

/** Returns the moved bytes. Data that rewrite reads and writes back counts once, as in bonnie. */
export function countMovedBytes(primaryRate: Phase['primaryRate'], readBytes: number, writtenBytes: number) {
  return primaryRate === 'bytes' ? Math.max(readBytes, writtenBytes) : readBytes + writtenBytes;
}

/** Returns the I/O of the threads of a step: null if the kernel's own threads made some of it, or if it is not counted. */
function countThreadIo(tallies: readonly WorkerTally[], { engine }: Transfer) {
  const counts = tallies.map(({ io }) => io ?? null).filter((io) => io !== null);
  const isCounted = engine === 'threads' && counts.length === tallies.length;
  // The host's dirty bytes include the other step's.
  return {
    io: isCounted ? sumIoBytes(counts) : null,
    unknownReason: 'another step ran at the same time, and the I/O of each is not counted',
    newDirtyBytes: null,
  };
}

function sumIoBytes(tallies: readonly IoBytes[]): IoBytes {
  return {
    readBytes: sum(tallies.map(({ readBytes }) => readBytes)),
    writtenBytes: sum(tallies.map(({ writtenBytes }) => writtenBytes)),
  };
}

/** Files share no pages, so the device moves each file's bytes as whole pages. */
function roundUpToPages({ operations, readBytes, writtenBytes }: WorkerTally, pageBytes: number): IoBytes {
  const rounded = (bytes: number) =>
    bytes === 0 ? 0 : Math.ceil(bytes / operations / pageBytes) * pageBytes * operations;
  return { readBytes: rounded(readBytes), writtenBytes: rounded(writtenBytes) };
}

/** Seeks move whole blocks, random operations only --io-size. */
function toPhaseTransfer(ioUnit: Phase['ioUnit'], transfer: Transfer, movesData: boolean): Transfer {
  const { fsync, syncPerWrite, blockSizeBytes, direct } = transfer;
  const areWritesSynced = syncPerWrite !== null;
  const areNamesSynced = (fsync || areWritesSynced) && canSyncDirectories(process.platform);
  return {
    ...transfer,
    ...(ioUnit === 'blocks' && { ioSizeBytes: blockSizeBytes, alignBytes: blockSizeBytes }),
    direct: direct && supportsDirect({ ioUnit }),
    fsync: ioUnit === 'files' && !movesData ? areNamesSynced : isDataSynced(ioUnit, fsync, areWritesSynced),
  };
}

/** True if the clock stops only after the written data is synced. For small files, the final sync covers only the names. */
export function isDataSynced(ioUnit: Phase['ioUnit'], fsync: boolean, areWritesSynced: boolean): boolean {
  // --fsync-per-write does not apply to single bytes.
  if (ioUnit === 'bytes') return fsync;
  return areWritesSynced || (fsync && ioUnit !== 'files');
}

export function computeCpu(
  { userSeconds, systemSeconds }: PhaseCounters['cpu'],
  seconds: number,
  operations: number,
): Measurement['cpu'] {
  const cpuSeconds = userSeconds + systemSeconds;
  return {
    userSeconds,
    systemSeconds,
    percent: (cpuSeconds / seconds) * 100,
    microsecondsPerOperation: operations === 0 ? null : (cpuSeconds * MICROSECONDS_PER_SECOND) / operations,
  };
}

/** Other programs' I/O on the device. At least 0: this process's dirty pages may not be on it yet. */
function computeOtherIo({ io, disk }: PhaseCounters): Measurement['otherIo'] {
  if (io === null || disk === null) return null;
  return {
    readBytes: Math.max(0, disk.readBytes - io.readBytes),
    writtenBytes: Math.max(0, disk.writtenBytes - io.writtenBytes),
  };
}
