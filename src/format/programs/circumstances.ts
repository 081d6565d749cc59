import { isComplete } from '../../report/results.js';
import type { Report } from '../../report/schema/report.js';
import { harmless } from '../../text/escape.js';
import { showBytes } from '../../text/units.js';

/** When, where and how it was measured, in brief. Unknown facts are left out. */
export function circumstancesOf({ startedAt, machine, target, options, runs }: Report) {
  const facts = {
    started: startedAt,
    directory: target.directory,
    filesystem: target.filesystem,
    device: target.device,
    disk: target.disk?.model ?? null,
    system: machine.os,
    processor: machine.cpuModel,
    cores: machine.cores,
    memory: showBytes(machine.memoryLimitBytes),
    'complete runs': runs.filter(isComplete).length,
    threads: options.threads,
    size: showBytes(options.sizeBytes),
    access: options.direct ? 'direct' : 'buffered',
    seed: options.seed,
  };
  return Object.entries(facts).flatMap(([name, value]) =>
    value === null ? [] : [{ name, value: harmless(String(value)) }],
  );
}
