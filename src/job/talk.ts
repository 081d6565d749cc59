import { type ErrorCode, GobonnieError } from '../errors.js';
import type { Exchange } from '../meeting/exchange.js';
import { DEFAULTS } from '../options/catalogue.js';
import { knownError } from '../system-error.js';
import { MS_PER_SECOND } from '../text/units.js';
import { nowSeconds, type Stamp } from './clock.js';
import { type Decision, parseDecision, parseResult, type StepResult, textOf } from './wire.js';

/** What the workers' limit can be. */
const MOST_STEPS = 2 ** 31 - 1;

/** What the ranks of a job tell each other in each step, and their waits for each other. */
export class Talk {
  readonly #exchange: Exchange;
  #stamps: Stamp[] = [];
  #step = 0;
  #isLost = false;
  /** Aborting it ends all waits. */
  signal: AbortSignal = new AbortController().signal;
  /** How long the others are waited for. */
  timeoutSeconds: number = DEFAULTS.barrierTimeout;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Whether some rank did not come, or cannot be reached. */
  get isLost(): boolean {
    return this.#isLost;
  }

  begin(): void {
    this.#step += 1;
  }

  /** Passes on what `act` gives. If it fails before an abort, the others are lost. */
  async over<Result>(act: () => Promise<Result>): Promise<Result | null> {
    try {
      return await act();
    } catch (error) {
      if (this.signal.aborted) return null;
      this.#isLost = true;
      throw error;
    }
  }

  /** These waits tell how far the clocks of the ranks are apart. */
  async wait(name: string, workSeconds = 0): Promise<void> {
    const came = nowSeconds();
    await this.#wait(name, workSeconds);
    if (!this.signal.aborted) this.#stamps.push({ came, went: nowSeconds() });
  }

  /** The most that any rank says. Others may still work for `workSeconds`, so it waits for them that much longer. */
  async most(steps: number, workSeconds: number): Promise<number> {
    const [own, all] = [`furthest.${this.#step}`, `furthest-of-all.${this.#step}`];
    await this.#exchange.give(own, String(steps));
    await this.#wait('furthest', workSeconds);
    if (this.#exchange.rank === 0) {
      let most = 0;
      for (let rank = 0; rank < this.#exchange.size; rank++)
        most = Math.max(most, stepsIn(await this.#exchange.take(rank, own)));
      await this.#exchange.give(all, String(most));
    }
    await this.#wait('furthest of all', 0);
    return stepsIn(await this.#exchange.take(0, all));
  }

  async #wait(name: string, workSeconds: number): Promise<void> {
    const seconds = this.timeoutSeconds + workSeconds;
    const deadline = AbortSignal.timeout(seconds * MS_PER_SECOND);
    try {
      await this.#exchange.wait(`${this.#step} ${name}`, AbortSignal.any([this.signal, deadline]));
    } catch (error) {
      // The run ends by itself then.
      if (this.signal.aborted) return;
      this.#isLost = true;
      if (!deadline.aborted) throw error;
      throw new GobonnieError(
        'rank-failed',
        `not all ranks of the job came within ${seconds} s: one is lost, or much slower`,
        'look at the messages of the launcher; if one is only slow, pass a larger --barrier-timeout',
      );
    }
  }

  /** The waits since the last call. */
  takeStamps(): Stamp[] {
    const stamps = this.#stamps;
    this.#stamps = [];
    return stamps;
  }

  async tell(result: StepResult): Promise<void> {
    await this.#exchange.give(`result.${this.#step}`, textOf(result));
  }

  async decide(decision: Decision): Promise<void> {
    await this.#exchange.give(`decision.${this.#step}`, textOf(decision));
  }

  async decision(): Promise<Decision> {
    return parseDecision(await this.#exchange.take(0, `decision.${this.#step}`));
  }

  /** What a rank has told in this step. */
  async told(rank: number): Promise<StepResult> {
    return parseResult(await this.#exchange.take(rank, `result.${this.#step}`));
  }

  /** What all have told; of a rank whose words did not arrive, that it has failed. */
  async allTold(): Promise<readonly StepResult[]> {
    const all: StepResult[] = [];
    for (let rank = 0; rank < this.#exchange.size; rank++) all.push(await this.told(rank).catch(unheard));
    return all;
  }

  /** What is known when not all have come: some launchers pass nothing on before. */
  async survivors(own: StepResult): Promise<readonly StepResult[]> {
    return this.#exchange.showsAtOnce ? this.allTold() : [own];
  }
}

/** Of a rank whose words are no number it counts as none. */
function stepsIn(text: string): number {
  const steps = Number(text);
  return Number.isInteger(steps) && steps > 0 && steps <= MOST_STEPS ? steps : 0;
}

/** What a rank tells of a step in which it failed. */
export function failedBy(error: Error): StepResult {
  const { code, message, hint } = knownError(error) ?? {
    code: 'system-call-failed' satisfies ErrorCode,
    message: `internal error (${error.message})`,
    hint: 'please report it',
  };
  return { state: 'failed', code, message, hint };
}

function unheard(error: Error): StepResult {
  const message = `what it told did not arrive whole (${error.message})`;
  return {
    state: 'failed',
    code: 'rank-failed',
    message,
    hint: 'run it again, with one version on all hosts',
  };
}
