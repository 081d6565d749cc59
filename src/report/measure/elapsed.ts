import type { WorkerTally } from '../../../workers/protocol.js';
import { GobonnieError } from '../../errors.js';
import { display } from '../../text/escape.js';
import { formatBytes, NS_PER_SECOND } from '../../text/units.js';

/** No CPU core has 10 GHz. */
const MAX_CYCLES_PER_NS = 10;
/** Two registers of 512 bits, from a core's fastest cache. A core moves 50 times less from RAM. */
const MAX_BYTES_PER_CYCLE = 128;

/**
 * Returns a duration in seconds. Throws if nothing can do that work so fast, because then a clock is wrong: a core moves
 * the data of each request, and makes at most one operation per cycle. This limit does not depend on the machine.
 */
export function elapsedSeconds(
  name: string,
  elapsedNs: bigint,
  bytes: number,
  operations = 1,
  requests = 1,
): number {
  const ns = Number(elapsedNs);
  const cycles = Math.max(1, operations, bytes / MAX_BYTES_PER_CYCLE) / requests;
  if (ns > 0 && ns * MAX_CYCLES_PER_NS >= cycles) return ns / NS_PER_SECOND;
  throw clockError(`${display(name)} took ${ns} ns for ${formatBytes(bytes)}`);
}

/** Returns the seconds from the gate until the last worker has finished. `depth`: its number of requests in flight. */
export function slowestSeconds(name: string, tallies: readonly WorkerTally[], gateNs: bigint, depth: number) {
  return Math.max(
    ...tallies.map(({ endNs, readBytes, writtenBytes, operations }) =>
      elapsedSeconds(name, endNs - gateNs, readBytes + writtenBytes, operations, depth),
    ),
  );
}

/** Throws unless a thread replied between the request and the receipt of its reply, on the main thread's clock. */
export function rejectOtherClock(replyNs: bigint, requestNs: bigint, receiptNs: bigint): void {
  if (replyNs < requestNs) throw clockError(`it is ${requestNs - replyNs} ns slow in a thread`);
  if (replyNs > receiptNs) throw clockError(`it is ${replyNs - receiptNs} ns fast in a thread`);
}

function clockError(fact: string): GobonnieError {
  const hint = 'measure again, and see gobonnie explain clock-failed';
  return new GobonnieError('clock-failed', `the clock is wrong: ${fact}`, hint);
}
