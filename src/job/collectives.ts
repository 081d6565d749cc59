import type { Communicator } from '../communicator/communicator.js';
import { type ErrorCode, GobonnieError } from '../errors.js';
import { OPTION_DEFAULTS } from '../options/option-catalogue.js';
import { toGobonnieError } from '../system-error.js';
import { MS_PER_SECOND } from '../text/units.js';
import { type BarrierTimes, monotonicSeconds } from './clock.js';
import { type Decision, parseDecision, parseResult, type StepResult, serializeMessage } from './messages.js';

/** What the workers' limit can be. */
const MAX_STEPS = 2 ** 31 - 1;

/** Sends the reports of each step between the ranks of a job, and waits for the other ranks. */
export class Collectives {
  readonly #communicator: Communicator;
  #barrierTimes: BarrierTimes[] = [];
  #step = 0;
  #hasLostRank = false;
  /** Aborting it ends all waits. */
  signal: AbortSignal = new AbortController().signal;
  /** How long to wait for the other ranks. */
  timeoutSeconds: number = OPTION_DEFAULTS.barrierTimeout;

  constructor(communicator: Communicator) {
    this.#communicator = communicator;
  }

  /** Whether some rank did not come, or cannot be reached. */
  get hasLostRank(): boolean {
    return this.#hasLostRank;
  }

  nextStep(): void {
    this.#step += 1;
  }

  /** Passes on what `act` gives. If it fails before an abort, the others are lost. */
  async guard<Result>(act: () => Promise<Result>): Promise<Result | null> {
    try {
      return await act();
    } catch (error) {
      if (this.signal.aborted) return null;
      this.#hasLostRank = true;
      throw error;
    }
  }

  /** These waits show the offset between the ranks' clocks. */
  async barrier(name: string, workSeconds = 0): Promise<void> {
    const entered = monotonicSeconds();
    await this.#barrier(name, workSeconds);
    if (!this.signal.aborted) this.#barrierTimes.push({ entered, left: monotonicSeconds() });
  }

  /** The most that any rank says. Others may still work for `workSeconds`, so it waits for them that much longer. */
  async max(steps: number, workSeconds: number): Promise<number> {
    const [own, agreed] = [`furthest.${this.#step}`, `furthest-of-all.${this.#step}`];
    await this.#communicator.put(own, String(steps));
    await this.#barrier('furthest', workSeconds);
    if (this.#communicator.rank === 0) {
      let max = 0;
      for (let rank = 0; rank < this.#communicator.size; rank++)
        max = Math.max(max, parseSteps(await this.#communicator.get(rank, own)));
      await this.#communicator.put(agreed, String(max));
    }
    await this.#barrier('furthest of all', 0);
    return parseSteps(await this.#communicator.get(0, agreed));
  }

  async #barrier(name: string, workSeconds: number): Promise<void> {
    const seconds = this.timeoutSeconds + workSeconds;
    const deadline = AbortSignal.timeout(seconds * MS_PER_SECOND);
    try {
      await this.#communicator.barrier(`${this.#step} ${name}`, AbortSignal.any([this.signal, deadline]));
    } catch (error) {
      // The run ends by itself then.
      if (this.signal.aborted) return;
      this.#hasLostRank = true;
      if (!deadline.aborted) throw error;
      throw new GobonnieError(
        'rank-failed',
        `not all ranks of the job came within ${seconds} s: one is lost, or much slower`,
        'look at the messages of the launcher; if one is only slow, pass a larger --barrier-timeout',
      );
    }
  }

  /** The waits since the last call. */
  takeBarrierTimes(): BarrierTimes[] {
    const barrierTimes = this.#barrierTimes;
    this.#barrierTimes = [];
    return barrierTimes;
  }

  async sendResult(result: StepResult): Promise<void> {
    await this.#communicator.put(`result.${this.#step}`, serializeMessage(result));
  }

  async broadcastDecision(decision: Decision): Promise<void> {
    await this.#communicator.put(`decision.${this.#step}`, serializeMessage(decision));
  }

  async receiveDecision(): Promise<Decision> {
    return parseDecision(await this.#communicator.get(0, `decision.${this.#step}`));
  }

  /** A rank's report in this step. */
  async getResult(rank: number): Promise<StepResult> {
    return parseResult(await this.#communicator.get(rank, `result.${this.#step}`));
  }

  /** What all have told; of a rank whose words did not arrive, that it has failed. */
  async gatherResults(): Promise<readonly StepResult[]> {
    const all: StepResult[] = [];
    for (let rank = 0; rank < this.#communicator.size; rank++)
      all.push(await this.getResult(rank).catch(lostResult));
    return all;
  }

  /** What is known when not all have come: some launchers pass nothing on before. */
  async reachableResults(own: StepResult): Promise<readonly StepResult[]> {
    return this.#communicator.hasImmediateGet ? this.gatherResults() : [own];
  }
}

/** Of a rank whose words are no number it counts as none. */
function parseSteps(text: string): number {
  const steps = Number(text);
  return Number.isInteger(steps) && steps > 0 && steps <= MAX_STEPS ? steps : 0;
}

/** A rank's report of a step in which it failed. */
export function toStepFailure(error: Error): StepResult {
  const { code, message, hint } = toGobonnieError(error) ?? {
    code: 'system-call-failed' satisfies ErrorCode,
    message: `internal error (${error.message})`,
    hint: 'please report it',
  };
  return { state: 'failed', code, message, hint };
}

function lostResult(error: Error): StepResult {
  const message = `what it told did not arrive whole (${error.message})`;
  return {
    state: 'failed',
    code: 'rank-failed',
    message,
    hint: 'run it again, with one version on all hosts',
  };
}
