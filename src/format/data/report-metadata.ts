import { isComplete } from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import { formatBytes } from '../../text/units.js';

/** Summarizes the start, the machine, the disk and the main options of a report. Omits unknown values. */
export function reportMetadata({ startedAt, machine, target, options, runs }: Report) {
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
    threads: options.threads,
    size: formatBytes(options.sizeBytes),
    access: options.direct ? 'direct' : 'buffered',
    seed: options.seed,
  };
  return Object.entries(metadata).flatMap(([name, value]) =>
    value === null ? [] : [{ name, value: sanitize(String(value)) }],
  );
}
