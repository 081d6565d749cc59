import type { Communicator } from '../../src/hosts/communicator.js';
import { Job } from '../../src/hosts/job.js';
import type { Measurement } from '../../src/report/schema/report.js';
import { PHASES, rankFacts, rankMeasurement } from '../../test/support/data/ranks.js';
import { seededRandom } from '../../test/support/data/seeded-random.js';

/** Cost of a step for rank 0 besides the work itself. */
export interface StepCost {
  /** Time in the three barriers of a step. */
  readonly barriersMs: number;
  /** Time to gather and merge the reports of all ranks, and to broadcast the decision. */
  readonly gatheringMs: number;
}

export interface JobStepCosts {
  readonly record: Job['record'];
  /** Costs of the steps of each run; a run has all default phases. */
  readonly runs: readonly (readonly StepCost[])[];
  /** Measurements of the last run. Empty on ranks other than 0. */
  readonly measurements: readonly Measurement[];
}

/** Runs one rank of a job that does no work and sends simulated measurements. */
export async function runJobSteps(communicator: Communicator, runs: number): Promise<JobStepCosts> {
  const random = seededRandom(communicator.rank + 1);
  const timed = new TimedCommunicator(communicator);
  const job = new Job(timed);
  await job.agreeOnPlan(rankFacts(communicator.rank), () => ({ threads: 1, seed: 1, ranksSharing: {} }));
  const costs: StepCost[][] = [];
  let measurements: Measurement[] = [];
  for (let run = 0; run < runs; run++) {
    const runCosts: StepCost[] = [];
    measurements = [];
    for (const kind of PHASES) {
      const own = rankMeasurement(kind, random);
      timed.waits.length = 0;
      const merged = await job.measure(async () => {
        await job.gate();
        return { measurement: own, gateNs: process.hrtime.bigint() };
      });
      runCosts.push(computeStepCost(timed.waits, performance.now()));
      if (merged) measurements.push(merged.measurement);
    }
    costs.push(runCosts);
  }
  await job.leave(0);
  return { record: job.record, runs: costs, measurements };
}

/** Expects the waits at three barriers: the gate, the end of all ranks, and the decision. */
function computeStepCost([gate, end, decision]: readonly Wait[], nowMs: number): StepCost {
  if (!gate || !end || !decision) throw new Error('expected three barriers in a step');
  const barriersMs = [gate, end, decision].reduce((total, wait) => total + waitMs(wait), 0);
  return { barriersMs, gatheringMs: nowMs - end.leftMs - waitMs(decision) };
}

interface Wait {
  readonly enteredMs: number;
  readonly leftMs: number;
}

function waitMs({ enteredMs, leftMs }: Wait): number {
  return leftMs - enteredMs;
}

class TimedCommunicator implements Communicator {
  readonly waits: Wait[] = [];
  readonly #communicator: Communicator;

  constructor(communicator: Communicator) {
    this.#communicator = communicator;
  }

  readonly id = null;

  get rank(): number {
    return this.#communicator.rank;
  }

  get size(): number {
    return this.#communicator.size;
  }

  get hasImmediateGet(): boolean {
    return this.#communicator.hasImmediateGet;
  }

  async barrier(signal: AbortSignal): Promise<void> {
    const enteredMs = performance.now();
    await this.#communicator.barrier(signal);
    this.waits.push({ enteredMs, leftMs: performance.now() });
  }

  put = (name: string, text: string) => this.#communicator.put(name, text);
  get = (rank: number, name: string) => this.#communicator.get(rank, name);
  leave = () => this.#communicator.leave();
  abort = (exitCode: number) => this.#communicator.abort(exitCode);
}
