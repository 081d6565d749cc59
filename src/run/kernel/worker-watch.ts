import type { Step } from '../../plan/steps.js';
import { display } from '../../text/escape.js';
import { pluralize } from '../../text/units.js';
import type { RunContext } from '../run-context.js';

/** Reports if the workers of a step make no progress. */
export function watchWorkers<Result>(
  { phase }: Step,
  { stallDetector, workerPool }: RunContext,
  work: Promise<Result>,
): Promise<Result> {
  const describe = () => describePosition(phase.name, workerPool.positions());
  return stallDetector.watch(describe, work, () => workerPool.totalProgress());
}

/** Describes where a phase waits: the file and offset of the first worker that has not replied. */
function describePosition(
  name: string,
  [first, ...others]: ReturnType<RunContext['workerPool']['positions']>,
): string {
  if (!first) return name;
  const { file, positionBytes } = first;
  const location = `${name} in ${display(file)}`;
  const offset = positionBytes === null ? '' : ` at offset ${positionBytes}`;
  return `${location}${offset}${others.length > 0 ? ` (and ${pluralize(others.length, 'more thread')})` : ''}`;
}
