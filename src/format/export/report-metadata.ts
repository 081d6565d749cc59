import { isComplete } from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import { formatBytes } from '../../text/units.js';

/** When, where and how it was measured, in brief. Unknown facts are left out. */
export function reportMetadata({ startedAt, machine, target, options, runs }: Report) {
  const facts = {
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
  return Object.entries(facts).flatMap(([name, value]) =>
    value === null ? [] : [{ name, value: sanitize(String(value)) }],
  );
}
