import { findProvenance, listReports, type Results, splitByMachine } from '../../report/results.js';
import { allMeasurements, isComplete } from '../../report/runs.js';
import type { Report } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import { groupBy } from '../../text/group-by.js';
import { formatBytes } from '../../text/units.js';

/** More steps are counted instead of named. */
const MAX_NAMED_STEPS = 4;

/** The runs in a directory of a machine, from one file or several. */
export type MeasuredDirectory = ReturnType<typeof groupByDirectory>[number];

export function groupByDirectory(results: readonly Results[]) {
  const origins = splitByMachine(results).map((one) => ({ ...one, ...findProvenance(one) }));
  const groups = groupBy(origins, ({ label, directory }) => JSON.stringify([label, directory]));
  return groups.map((group) => {
    const [{ label, directory }] = group;
    /** Makes the names of results unique. */
    const prefix = groups.length === 1 ? '' : `${[label, directory].filter(Boolean).join(' ')}: `;
    const runs = group.flatMap((one) => one.runs);
    return {
      label,
      directory,
      prefix,
      runs,
      completeRuns: runs.filter(isComplete),
      reports: listReports(group),
    };
  });
}

/** Summarizes the start, the machine, the disk and the main options of a report. Omits unknown values. */
export function reportMetadata({ startedAt, machine, target, options, runs, job }: Report) {
  const metadata = {
    started: startedAt,
    directory: target.directory,
    filesystem: target.filesystem,
    device: target.device,
    disk: target.disk?.model ?? null,
    system: machine.os,
    processor: machine.cpuModel,
    cores: machine.cores,
    memory: formatBytes(machine.memoryLimitBytes),
    'complete runs': runs.filter(isComplete).length,
    ranks: job?.ranks ?? null,
    hosts: job?.hosts.length ?? null,
    threads: options.steps ? null : options.threads,
    size: options.sizeBytes === 0 ? null : formatBytes(options.sizeBytes),
    access: accessText(runs),
    seed: options.seed,
  };
  return Object.entries(metadata).flatMap(([name, value]) =>
    value === null ? [] : [{ name, value: sanitize(String(value)) }],
  );
}

/** Names the steps that bypassed the page cache, unless none or all did. A step of small files cannot. */
function accessText(runs: Report['runs']): string | null {
  const steps = groupBy(allMeasurements({ runs }), ({ step }) => step);
  const direct = steps.filter((measurements) => measurements.every((one) => one.direct));
  if (steps.length === 0) return null;
  if (direct.length === 0) return 'buffered';
  if (direct.length === steps.length) return 'direct';
  const names = direct.map(([{ step }]) => step).join(', ');
  return `direct in ${direct.length > MAX_NAMED_STEPS ? `${direct.length} of ${steps.length} steps` : names}`;
}
