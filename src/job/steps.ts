import type { Exchange } from '../meeting/exchange.js';
import type { Stonewalled } from '../run/peers.js';
import { type Addition, type Coordinator, errorOf } from './coordinator.js';
import { failedBy, Talk } from './talk.js';
import type { Done, Go, StepResult } from './wire.js';

/** How a step ended that all could take. What all have told only rank 0 knows; after an abort nobody decides. */
interface Taken<Result> {
  readonly result: Result;
  readonly decision: Go | null;
  readonly all: readonly StepResult[];
}

/** What a rank tells of a step that it could take. */
type Tell<Result> = (result: Result) => Omit<Done, 'state' | 'stamps'>;

/**
 * The steps that all ranks of a job take. In each they wait for each other at the gate, tell rank 0 how it went, and
 * hear from it whether they go on: so a rank that fails still comes to every wait.
 */
export class Steps {
  readonly #exchange: Exchange;
  readonly #coordinator: Coordinator;
  readonly #talk: Talk;
  #isPastGate = false;
  /** Of the phase that all take, if they have not agreed yet where --stonewall ends it. */
  #stonewall: Stonewalled | null = null;
  #isOver = false;
  #hasTold = false;

  constructor(exchange: Exchange, coordinator: Coordinator) {
    this.#exchange = exchange;
    this.#coordinator = coordinator;
    this.#talk = new Talk(exchange);
  }

  /** How long the others are waited for. */
  set timeoutSeconds(seconds: number) {
    this.#talk.timeoutSeconds = seconds;
  }

  /** Whether all know how it ended, so that only rank 0 has to say it. */
  get hasTold(): boolean {
    return this.#hasTold;
  }

  /** Whether some rank did not come, or cannot be reached. */
  get isLost(): boolean {
    return this.#talk.isLost;
  }

  /** After a signal the others are not waited for, and the launcher must not take the end of this process for a loss. */
  endOn(signal: AbortSignal): void {
    this.#talk.signal = signal;
    signal.addEventListener('abort', () => void this.#exchange.leave());
  }

  /** No more steps are taken. */
  end(): void {
    this.#isOver = true;
  }

  async gate(): Promise<void> {
    this.#isPastGate = true;
    await this.#talk.wait('gate');
  }

  /** Of all ranks the most steps, in a phase that --stonewall may cut. */
  async furthest(steps: number): Promise<number> {
    const stonewall = this.#stonewall;
    if (!stonewall || this.#isAborted) return steps;
    this.#stonewall = null;
    const most = await this.#talk.over(() => this.#talk.most(steps, stonewall.lastSeconds));
    return most ?? steps;
  }

  async take<Result>(
    work: () => Promise<Result>,
    tell: Tell<Result> = () => ({}),
    addition: Addition = () => ({}),
    stonewall: Stonewalled | null = null,
  ): Promise<Taken<Result>> {
    this.#talk.begin();
    this.#isPastGate = false;
    this.#stonewall = stonewall;
    const own = await this.#attempt(work, tell);
    const heard = this.#isAborted || this.isLost ? null : await this.#hear(own.told, addition, stonewall);
    if (!heard) {
      if ('error' in own) throw own.error;
      return { result: own.result, decision: null, all: [] };
    }
    const { decision, all } = heard;
    if (decision.state === 'go' && !('error' in own)) return { result: own.result, decision, all };
    this.#isOver = true;
    this.#hasTold = true;
    if ('error' in own) throw own.error;
    if (decision.state === 'go') throw new Error('a step that failed here went on');
    throw errorOf(decision);
  }

  /** What these ranks have told in this step. Nothing after an abort. */
  async told(ranks: readonly number[]): Promise<readonly StepResult[]> {
    const taken = await this.#talk.over(async () => {
      const all: StepResult[] = [];
      for (const rank of this.#isAborted ? [] : ranks) all.push(await this.#talk.told(rank));
      return all;
    });
    return taken ?? [];
  }

  /** For a failure outside of all steps: the others learn of it in their next one. */
  async fail(error: unknown): Promise<void> {
    if (this.#isOver || this.#isAborted) return;
    await this.take(() => Promise.reject(error)).catch(() => {});
  }

  /** Null after an abort, when the others are no longer heard. */
  async #hear(own: StepResult, addition: Addition, stonewall: Stonewalled | null) {
    const [talk, isFirst] = [this.#talk, this.#exchange.rank === 0];
    try {
      return await talk.over(async () => {
        await talk.tell(own);
        await talk.wait('end', stonewall?.lastSeconds);
        const all = isFirst ? await talk.allTold() : [];
        if (isFirst) await talk.decide(this.#coordinator.decide(all, addition));
        await talk.wait('decision');
        return { decision: await talk.decision(), all: all.filter((one) => one.state === 'done') };
      });
    } catch (error) {
      if (isFirst) this.#coordinator.noteIncomplete(await talk.survivors(own));
      throw error;
    }
  }

  /** Also after a failure it comes to all places where the others wait. */
  async #attempt<Result>(
    work: () => Promise<Result>,
    tell: Tell<Result>,
  ): Promise<{ result: Result; told: StepResult } | { error: unknown; told: StepResult }> {
    try {
      const result = await work();
      await this.#pass();
      return { result, told: { state: 'done', stamps: this.#talk.takeStamps(), ...tell(result) } };
    } catch (error) {
      if (!this.isLost) await this.#pass();
      return { error, told: failedBy(error as Error) };
    }
  }

  async #pass(): Promise<void> {
    if (!this.#isPastGate && !this.#isAborted) await this.gate();
    await this.furthest(0);
  }

  get #isAborted(): boolean {
    return this.#talk.signal.aborted;
  }
}
