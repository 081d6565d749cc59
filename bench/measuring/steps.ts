import { Job } from '../../src/job/job.js';
import type { Communicator } from '../../src/meeting/exchange.js';
import type { Measurement } from '../../src/report/schema/report.js';
import { PHASES, rankFacts, rankMeasurement } from '../../test/support/data/ranks.js';
import { seededRandom } from '../../test/support/data/seeded-random.js';

/** What a step of a job costs rank 0 beside the work itself. */
export interface StepCost {
  /** In the three waits of a step. */
  readonly barriersMs: number;
  /** To take and merge what all have told, and to tell them the decision. */
  readonly gatheringMs: number;
}

export interface Steps {
  readonly record: Job['record'];
  /** Of the runs, one after the other; each has all default phases. */
  readonly runs: readonly (readonly StepCost[])[];
  /** Of the last run. Empty for other ranks. */
  readonly measurements: readonly Measurement[];
}

/** One rank of a job that does no work, and tells what it would have measured. */
export async function takeSteps(communicator: Communicator, runs: number): Promise<Steps> {
  const random = seededRandom(communicator.rank + 1);
  const timed = new TimedExchange(communicator);
  const job = new Job(timed);
  await job.agree(rankFacts(communicator.rank), () => ({ options: {}, ranksSharing: {} }));
  const costs: StepCost[][] = [];
  let measurements: Measurement[] = [];
  for (let run = 0; run < runs; run++) {
    const ofRun: StepCost[] = [];
    measurements = [];
    for (const kind of PHASES) {
      const own = rankMeasurement(kind, random);
      timed.waits.length = 0;
      const whole = await job.measureTogether(async () => {
        await job.gate();
        job.recordStart(process.hrtime.bigint());
        return own;
      });
      ofRun.push(costOf(timed.waits, performance.now()));
      if (whole) measurements.push(whole);
    }
    costs.push(ofRun);
  }
  await job.leave(0);
  return { record: job.record, runs: costs, measurements };
}

/** The waits are those at the gate, for the ends of all, and for the decision. */
function costOf([gate, end, decision]: readonly Wait[], nowMs: number): StepCost {
  if (!gate || !end || !decision) throw new Error('a step has three waits');
  const barriersMs = [gate, end, decision].reduce((total, wait) => total + lengthOf(wait), 0);
  return { barriersMs, gatheringMs: nowMs - end.wentMs - lengthOf(decision) };
}

interface Wait {
  readonly cameMs: number;
  readonly wentMs: number;
}

function lengthOf({ cameMs, wentMs }: Wait): number {
  return wentMs - cameMs;
}

class TimedExchange implements Communicator {
  readonly waits: Wait[] = [];
  readonly #exchange: Communicator;

  constructor(communicator: Communicator) {
    this.#exchange = communicator;
  }

  readonly id = null;

  get rank(): number {
    return this.#exchange.rank;
  }

  get size(): number {
    return this.#exchange.size;
  }

  get hasImmediateGet(): boolean {
    return this.#exchange.hasImmediateGet;
  }

  async barrier(phase: string, signal: AbortSignal): Promise<void> {
    const cameMs = performance.now();
    await this.#exchange.barrier(phase, signal);
    this.waits.push({ cameMs, wentMs: performance.now() });
  }

  put = (name: string, text: string) => this.#exchange.put(name, text);
  get = (rank: number, name: string) => this.#exchange.get(rank, name);
  leave = () => this.#exchange.leave();
  abort = (exitCode: number) => this.#exchange.abort(exitCode);
}
