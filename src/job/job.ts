import type { Exchange } from '../meeting/exchange.js';
import type { Place } from '../plan/place.js';
import type { Measurement, Report, Warning } from '../report/schema/report.js';
import type { Peers } from '../run/peers.js';
import { NS_PER_SECOND } from '../text/units.js';
import { type Addition, Coordinator, type Decided, errorOf } from './coordinator.js';
import type { Facts } from './facts.js';
import { failedBy, Steps } from './steps.js';
import { type Agreement, type Done, MOST_WARNINGS, type StepResult } from './wire.js';

/**
 * One of several processes that measure together. All take the same steps. In each they wait for each other at the gate,
 * tell member 0 how it went, and hear from it whether they go on: so a member that fails still comes to every wait.
 */
export class Job implements Peers {
  readonly #exchange: Exchange;
  readonly #steps: Steps;
  /** Only member 0 uses it. */
  readonly #coordinator: Coordinator;
  #source: number;
  #isPastGate = false;
  #beganSeconds: number | undefined;
  #isOver = false;
  #hasTold = false;
  /** That member 0 has not been told of. */
  readonly #warnings: Warning[] = [];

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    this.#steps = new Steps(exchange);
    this.#source = exchange.member;
    this.#coordinator = new Coordinator(exchange);
  }

  /** How long the others are waited for. */
  set timeoutSeconds(seconds: number) {
    this.#steps.timeoutSeconds = seconds;
  }

  get record(): NonNullable<Report['job']> {
    return this.#coordinator.record;
  }

  /** Whether this is the member that prints for all. */
  get isFirst(): boolean {
    return this.#exchange.member === 0;
  }

  /** Whether all know how it ended, so that only member 0 has to say it. */
  get hasTold(): boolean {
    return this.#hasTold;
  }

  /** After a signal the others are not waited for, and the launcher must not take the end of this process for a loss. */
  endOn(signal: AbortSignal): void {
    this.#steps.signal = signal;
    signal.addEventListener('abort', () => void this.#exchange.leave());
  }

  /** What all do, as member 0 decides by what each says of itself. */
  async agree(facts: Facts, decide: (all: readonly Facts[]) => Decided): Promise<Agreement> {
    const factsOf = (all: readonly Done[]) => all.flatMap((one) => one.facts ?? []);
    const agreed = (all: readonly Done[]) => ({
      agreement: this.#coordinator.agreement(factsOf(all), decide),
    });
    const { decision } = await this.#step(
      async () => facts,
      () => ({ facts }),
      agreed,
    );
    if (!decision?.agreement) throw new Error('member 0 has decided nothing');
    this.record.id = decision.agreement.id;
    const source = decision.agreement.sources[this.#exchange.member] ?? this.#exchange.member;
    // Also what member 0 has decided is not believed.
    if (source < this.#exchange.size) this.#source = source;
    return decision.agreement;
  }

  async done<Result>(work: () => Promise<Result>): Promise<Result> {
    const { result } = await this.#step(work, () => ({}));
    return result;
  }

  async measured(work: () => Promise<Measurement | null>): Promise<Measurement | null> {
    const tell = (measurement: Measurement | null) => ({
      measurement: measurement ?? undefined,
      beganSeconds: this.#beganSeconds,
    });
    const { result, decision, all } = await this.#step(work, tell);
    if (!decision) return null;
    return this.#coordinator.merged(all) ?? result;
  }

  get place(): Place {
    return { member: this.#exchange.member, members: this.#exchange.size };
  }

  get source(): number {
    return this.#source;
  }

  useOwn(): void {
    this.#source = this.#exchange.member;
    this.record.readBack = 'not-shared';
  }

  /** Nothing after an abort. */
  async told(text: string, from: readonly number[]): Promise<readonly string[]> {
    await this.#step(
      async () => text,
      () => ({ text }),
    );
    const taken = await this.#steps.over(async () => {
      const texts: string[] = [];
      for (const member of this.#isAborted ? [] : from) {
        const told = await this.#steps.told(member);
        texts.push(told.state === 'done' ? (told.text ?? '') : '');
      }
      return texts;
    });
    return taken ?? [];
  }

  async all(answer: boolean): Promise<boolean> {
    const { decision } = await this.#step(
      async () => answer,
      () => ({ answer }),
      (all) => ({ answer: all.every((one) => one.answer === true) }),
    );
    return decision?.answer ?? answer;
  }

  warned(warning: Warning): void {
    this.#warnings.push(warning);
  }

  takeWarnings(): readonly Warning[] {
    return this.#coordinator.takeWarnings();
  }

  async agreed(answer: boolean): Promise<boolean> {
    const { decision } = await this.#step(
      async () => answer,
      () => ({}),
      () => ({ answer }),
    );
    const agreed = decision?.answer ?? answer;
    if (agreed) this.#isOver = true;
    return agreed;
  }

  async gate(): Promise<void> {
    this.#isPastGate = true;
    await this.#steps.wait('gate');
  }

  began(gateNs: bigint): void {
    this.#beganSeconds = Number(gateNs) / NS_PER_SECOND;
  }

  /** For a failure outside of all steps: the others learn of it in their next one. */
  async fail(error: unknown): Promise<void> {
    if (this.#isOver || this.#isAborted) return;
    await this.#step(
      () => Promise.reject(error),
      () => ({}),
    ).catch(() => {});
  }

  /** At the very end. Members that did not come are ended by the launcher. */
  async leave(exitCode: number): Promise<void> {
    this.#isOver = true;
    if (this.#steps.isLost) await this.#exchange.abort(exitCode);
    else await this.#exchange.leave();
  }

  async #step<Result>(
    work: () => Promise<Result>,
    tell: (result: Result) => Omit<Done, 'state' | 'stamps'>,
    addition: Addition = () => ({}),
  ) {
    this.#steps.begin();
    this.#isPastGate = false;
    this.#beganSeconds = undefined;
    const own = await this.#attempt(work, tell);
    const heard = this.#isAborted || this.#steps.isLost ? null : await this.#tell(own.told, addition);
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

  /** Null after an abort, when the others are no longer heard. */
  async #tell(own: StepResult, addition: Addition) {
    const steps = this.#steps;
    try {
      return await steps.over(async () => {
        await steps.tell(own);
        await steps.wait('end');
        const all = this.isFirst ? await steps.allTold() : [];
        if (this.isFirst) await steps.decide(this.#coordinator.decide(all, addition));
        await steps.wait('decision');
        return { decision: await steps.decision(), all: all.filter((one) => one.state === 'done') };
      });
    } catch (error) {
      if (this.isFirst) this.#coordinator.noteIncomplete(await steps.survivors(own));
      throw error;
    }
  }

  /** Also after a failure it comes to the gate, where the others wait. */
  async #attempt<Result>(
    work: () => Promise<Result>,
    tell: (result: Result) => Omit<Done, 'state' | 'stamps'>,
  ): Promise<{ result: Result; told: StepResult } | { error: unknown; told: StepResult }> {
    try {
      const result = await work();
      await this.#pass();
      return {
        result,
        told: {
          state: 'done',
          stamps: this.#steps.takeStamps(),
          warnings: this.#warnings.splice(0, MOST_WARNINGS),
          ...tell(result),
        },
      };
    } catch (error) {
      if (!this.#steps.isLost) await this.#pass();
      return { error, told: failedBy(error as Error) };
    }
  }

  async #pass(): Promise<void> {
    if (!this.#isPastGate && !this.#isAborted) await this.gate();
  }

  get #isAborted(): boolean {
    return this.#steps.signal.aborted;
  }
}
