import type { StepOptions } from '../options/options-schema.js';
import { countWorkers } from '../plan/engine.js';
import type { RunPlan } from '../plan/plan.js';
import { operationBytes, type Step } from '../plan/steps.js';
import { reportOptions } from '../report/reported-options.js';
import type { Report, ReportedStep } from '../report/schema/report.js';
import { GIB, MS_PER_SECOND } from '../text/units.js';
import { version } from '../version.js';

export function emptyReport(plan: RunPlan, startedAt = new Date()): Report {
  const { options, machine, transfer, threads, totalBytes, steps } = plan;
  const { isRoot, hostname, processors, target, sample, ...host } = machine;
  const { accessError, inodes, ranksSharing, ...reportedTarget } = target;
  return {
    schema: 'gobonnie/1',
    version,
    startedAt: startedAt.toISOString(),
    label: options.label ?? hostname,
    options: {
      threads,
      engine: transfer.engine,
      depth: transfer.depth,
      sizeGib: options.size ?? totalBytes / GIB,
      sizeBytes: totalBytes,
      ioSizeBytes: transfer.ioSizeBytes,
      fsync: !options.noFsync,
      ...reportOptions(options),
      phases: [...options.phases],
      ...(options.steps && { steps: options.steps.map((own, at) => reportStep(own, steps[at])) }),
      seekThreads: options.seekThreads ? countWorkers(options.seekThreads, options, machine) : null,
      perByteBytes: plan.byteWiseTotalBytes,
      files: {
        count: options.files,
        kind: options.fileKind,
        minBytes: options.fileMinSize,
        maxBytes: options.fileSize,
        blockBytes: transfer.fileBlockBytes,
        directories: options.directories,
      },
    },
    machine: host,
    target: {
      ...reportedTarget,
      mountOptions: [...reportedTarget.mountOptions],
      scratchDirectory: plan.directory,
    },
    cache: { requested: options.cache, applied: 'keep', reason: null },
    runs: [],
    statistics: [],
    warnings: [],
    outcome: { state: 'running' },
  };
}

function reportStep({ phase, size, paths }: StepOptions, step: Step | undefined): ReportedStep {
  if (!step) throw new Error('every step of the options must be planned');
  const { name, beside, transfer, goal, pauseSeconds, assignments } = step;
  const { engine, depth, direct, fsync, syncPerWrite, intervalMs } = transfer;
  return {
    name,
    ...(beside !== null && { beside }),
    phase,
    ...(paths && { paths }),
    threads: assignments.length,
    engine,
    depth,
    ioBytes: operationBytes(step),
    mixPercent: transfer.readPercent,
    direct,
    fsync,
    syncPerWrite,
    ...(intervalMs !== null && { intervalSeconds: intervalMs / MS_PER_SECOND }),
    ...(pauseSeconds > 0 && { pauseSeconds }),
    seconds: goal.unit === 'seconds' ? goal.amount : (goal.timeLimitSeconds ?? null),
    maxBytes: size === undefined ? null : Math.round(size * GIB),
  };
}
