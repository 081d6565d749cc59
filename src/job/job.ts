import type { Exchange } from '../meeting/exchange.js';
import type { Place } from '../plan/place.js';
import type { Part } from '../report/measure/merge-ranks.js';
import { endsOf } from '../report/measure/range.js';
import type { Measurement, Report, Warning } from '../report/schema/report.js';
import type { Peers, Stonewalled } from '../run/peers.js';
import { NS_PER_SECOND } from '../text/units.js';
import { type Addition, Coordinator, type Decided } from './coordinator.js';
import type { Facts } from './facts.js';
import { Steps } from './steps.js';
import { type Agreement, type Done, MOST_WARNINGS } from './wire.js';

/** One of several processes that measure together. */
export class Job implements Peers {
  readonly #exchange: Exchange;
  readonly #steps: Steps;
  /** Only rank 0 uses it. */
  readonly #coordinator: Coordinator;
  #source: number;
  #beganSeconds: number | undefined;
  /** That rank 0 has not been told of. */
  readonly #warnings: Warning[] = [];

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    this.#coordinator = new Coordinator(exchange);
    this.#steps = new Steps(exchange, this.#coordinator);
    this.#source = exchange.rank;
  }

  /** How long the others are waited for. */
  set timeoutSeconds(seconds: number) {
    this.#steps.timeoutSeconds = seconds;
  }

  get record(): NonNullable<Report['job']> {
    return this.#coordinator.record;
  }

  /** Whether this is the rank that prints for all. */
  get isFirst(): boolean {
    return this.#exchange.rank === 0;
  }

  /** Whether all know how it ended, so that only rank 0 has to say it. */
  get hasTold(): boolean {
    return this.#steps.hasTold;
  }

  /** After a signal the others are not waited for, and the launcher must not take the end of this process for a loss. */
  endOn(signal: AbortSignal): void {
    this.#steps.endOn(signal);
  }

  /** What all do, as rank 0 decides by what each says of itself. */
  async agree(facts: Facts, decide: (all: readonly Facts[]) => Decided): Promise<Agreement> {
    const factsOf = (all: readonly Done[]) => all.flatMap((one) => one.facts ?? []);
    const agreed = (all: readonly Done[]) => ({
      agreement: this.#coordinator.agreement(factsOf(all), decide),
    });
    const { decision } = await this.#take(
      async () => facts,
      () => ({ facts }),
      agreed,
    );
    if (!decision?.agreement) throw new Error('rank 0 has decided nothing');
    this.record.id = decision.agreement.id;
    const source = decision.agreement.sources[this.#exchange.rank] ?? this.#exchange.rank;
    // Also what rank 0 has decided is not believed.
    if (source < this.#exchange.size) this.#source = source;
    return decision.agreement;
  }

  async done<Result>(work: () => Promise<Result>): Promise<Result> {
    const { result } = await this.#take(work);
    return result;
  }

  async measured(
    work: () => Promise<Measurement | null>,
    stonewall: Stonewalled | null = null,
  ): Promise<Measurement | null> {
    this.#beganSeconds = undefined;
    const tell = (measurement: Measurement | null) => ({
      measurement: measurement ?? undefined,
      beganSeconds: this.#beganSeconds,
    });
    const { result, decision, all } = await this.#take(work, tell, undefined, stonewall);
    if (!decision) return null;
    return this.#coordinator.merged(all) ?? result;
  }

  get place(): Place {
    return { rank: this.#exchange.rank, ranks: this.#exchange.size };
  }

  get source(): number {
    return this.#source;
  }

  useOwn(): void {
    this.#source = this.#exchange.rank;
    this.record.readSource = 'own-not-shared';
  }

  /** Nothing after an abort. */
  async told(text: string, from: readonly number[]): Promise<readonly string[]> {
    await this.#take(
      async () => text,
      () => ({ text }),
    );
    const all = await this.#steps.told(from);
    return all.map((one) => (one.state === 'done' ? (one.text ?? '') : ''));
  }

  async all(answer: boolean): Promise<boolean> {
    return (await this.least(Number(answer))) === 1;
  }

  async least(answer: number): Promise<number> {
    const { decision } = await this.#take(
      async () => answer,
      () => ({ answer }),
      (all) => ({ answer: endsOf(all.map((one) => one.answer ?? answer))[0] }),
    );
    return decision?.answer ?? answer;
  }

  get parts(): readonly Part[] {
    return this.#coordinator.parts;
  }

  warned(warning: Warning): void {
    this.#warnings.push(warning);
  }

  takeWarnings(): readonly Warning[] {
    return this.#coordinator.takeWarnings();
  }

  async agreed(answer: boolean): Promise<boolean> {
    const { decision } = await this.#take(
      async () => answer,
      () => ({}),
      () => ({ answer: Number(answer) }),
    );
    const agreed = decision?.answer === undefined ? answer : decision.answer === 1;
    if (agreed) this.#steps.end();
    return agreed;
  }

  async gate(): Promise<void> {
    await this.#steps.gate();
  }

  async furthest(steps: number): Promise<number> {
    return this.#steps.furthest(steps);
  }

  began(gateNs: bigint): void {
    this.#beganSeconds = Number(gateNs) / NS_PER_SECOND;
  }

  /** For a failure outside of all steps: the others learn of it in their next one. */
  async fail(error: unknown): Promise<void> {
    await this.#steps.fail(error);
  }

  /** At the very end. Ranks that did not come are ended by the launcher. */
  async leave(exitCode: number): Promise<void> {
    this.#steps.end();
    if (this.#steps.isLost) await this.#exchange.abort(exitCode);
    else await this.#exchange.leave();
  }

  async #take<Result>(
    work: () => Promise<Result>,
    tell: (result: Result) => Omit<Done, 'state' | 'stamps' | 'warnings'> = () => ({}),
    addition?: Addition,
    stonewall?: Stonewalled | null,
  ) {
    const tellAll = (result: Result) => ({
      warnings: this.#warnings.splice(0, MOST_WARNINGS),
      ...tell(result),
    });
    return this.#steps.take(work, tellAll, addition, stonewall);
  }
}
