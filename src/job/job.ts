import { type ErrorCode, GobonnieError, isErrorCode } from '../errors.js';
import type { Exchange } from '../meeting/exchange.js';
import { DEFAULTS } from '../options/catalogue.js';
import { mergeParts, type Part } from '../report/measure/members.js';
import type { Measurement, Report } from '../report/schema/report.js';
import type { Company } from '../run/company.js';
import { knownError } from '../system-error.js';
import { shown } from '../text/escape.js';
import { counted, MS_PER_SECOND, NS_PER_SECOND } from '../text/units.js';
import { aheadOf, nowSeconds, type Stamp } from './clock.js';
import { type Facts, hostsOf, refuseUnlike } from './facts.js';
import {
  type Agreement,
  type Done,
  type Failed,
  parseTidings,
  parseVerdict,
  type Tidings,
  textOf,
  type Verdict,
} from './wire.js';

/** What member 0 adds for all when none has failed. */
type Conclude = (all: readonly Done[]) => Omit<Extract<Verdict, { state: 'go' }>, 'state'>;

/**
 * One of several processes that measure together. All take the same steps. In each they wait for each other at the gate,
 * tell member 0 how it went, and hear from it whether they go on: so a member that fails still comes to every wait.
 */
export class Job implements Company {
  readonly #exchange: Exchange;
  #signal = new AbortController().signal;
  /** Of all members, as far as this is member 0 and they have told them. */
  #facts: readonly Facts[] = [];
  /** Of each member, likewise. */
  readonly #stamps: Stamp[][];
  #newStamps: Stamp[] = [];
  #record: NonNullable<Report['job']>;
  #steps = 0;
  #isPastGate = false;
  #beganSeconds: number | undefined;
  #isOver = false;
  #hasTold = false;
  #isLost = false;
  /** How long the others are waited for. */
  timeoutSeconds: number = DEFAULTS.memberTimeout;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    this.#stamps = Array.from({ length: exchange.size }, () => []);
    this.#record = { members: exchange.size, hosts: [] };
  }

  get record(): NonNullable<Report['job']> {
    return this.#record;
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
  obey(signal: AbortSignal): void {
    this.#signal = signal;
    signal.addEventListener('abort', () => void this.#exchange.leave());
  }

  /** What all do, as member 0 decides by what each says of itself. */
  async agree(facts: Facts, decide: (all: readonly Facts[]) => Agreement): Promise<Agreement> {
    const conclude = (all: readonly Done[]) => {
      this.#facts = all.flatMap((one) => one.facts ?? []);
      refuseUnlike(this.#facts);
      this.#record.hosts = hostsOf(this.#facts);
      return { agreement: decide(this.#facts) };
    };
    const { verdict } = await this.#step(
      async () => facts,
      () => ({ facts }),
      conclude,
    );
    if (!verdict?.agreement) throw new Error('member 0 has decided nothing');
    return verdict.agreement;
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
    const { result, verdict, all } = await this.#step(work, tell);
    if (!verdict) return null;
    const [first, ...others] = this.#partsOf(all);
    return first && result ? mergeParts([first, ...others]) : result;
  }

  async agreed(answer: boolean): Promise<boolean> {
    const { verdict } = await this.#step(
      async () => answer,
      () => ({}),
      () => ({ answer }),
    );
    const agreed = verdict?.answer ?? answer;
    if (agreed) this.#isOver = true;
    return agreed;
  }

  async gate(): Promise<void> {
    this.#isPastGate = true;
    await this.#wait('gate');
  }

  began(gateNs: bigint): void {
    this.#beganSeconds = Number(gateNs) / NS_PER_SECOND;
  }

  /** For a failure outside of all steps: the others learn of it in their next one. */
  async fail(error: unknown): Promise<void> {
    if (this.#isOver || this.#signal.aborted) return;
    await this.#step(
      () => Promise.reject(error),
      () => ({}),
    ).catch(() => {});
  }

  /** At the very end. Members that did not come are ended by the launcher. */
  async leave(exitCode: number): Promise<void> {
    this.#isOver = true;
    if (this.#isLost) await this.#exchange.abort(exitCode);
    else await this.#exchange.leave();
  }

  async #step<Result>(
    work: () => Promise<Result>,
    tell: (result: Result) => Omit<Done, 'state' | 'stamps'>,
    conclude: Conclude = () => ({}),
  ) {
    this.#steps += 1;
    this.#isPastGate = false;
    this.#beganSeconds = undefined;
    const own = await this.#attempt(work, tell);
    const heard = this.#signal.aborted || this.#isLost ? null : await this.#tell(own.tidings, conclude);
    if (!heard) {
      if ('error' in own) throw own.error;
      return { result: own.result, verdict: null, all: [] };
    }
    const { verdict, all } = heard;
    if (verdict.state === 'go' && !('error' in own)) return { result: own.result, verdict, all };
    this.#isOver = true;
    this.#hasTold = true;
    if ('error' in own) throw own.error;
    const { code, message, hint } = verdict as Failed;
    throw new GobonnieError(isErrorCode(code) ? code : 'member-failed', message, hint);
  }

  /** Null after an abort, when the others are no longer heard. */
  async #tell(tidings: Tidings, conclude: Conclude) {
    try {
      await this.#exchange.give(`tidings.${this.#steps}`, textOf(tidings));
      await this.#wait('end');
      const all = this.isFirst ? await this.#takeAll() : [];
      if (this.isFirst)
        await this.#exchange.give(`verdict.${this.#steps}`, textOf(this.#judge(all, conclude)));
      await this.#wait('verdict');
      const verdict = parseVerdict(await this.#exchange.take(0, `verdict.${this.#steps}`));
      return { verdict, all: all.filter((one) => one.state === 'done') };
    } catch (error) {
      if (this.#signal.aborted) return null;
      this.#isLost = true;
      throw error;
    }
  }

  /** Also after a failure it comes to the gate, where the others wait. */
  async #attempt<Result>(
    work: () => Promise<Result>,
    tell: (result: Result) => Omit<Done, 'state' | 'stamps'>,
  ): Promise<{ result: Result; tidings: Tidings } | { error: unknown; tidings: Tidings }> {
    try {
      const result = await work();
      await this.#pass();
      return { result, tidings: { state: 'done', stamps: this.#takeStamps(), ...tell(result) } };
    } catch (error) {
      if (!this.#isLost) await this.#pass();
      const known = knownError(error);
      const { code, message, hint } = known ?? {
        code: 'system-failed' satisfies ErrorCode,
        message: `internal error (${(error as Error).message})`,
        hint: 'please report it',
      };
      return { error, tidings: { state: 'failed', code, message, hint } };
    }
  }

  async #pass(): Promise<void> {
    if (!this.#isPastGate && !this.#signal.aborted) await this.gate();
  }

  #takeStamps(): Stamp[] {
    const stamps = this.#newStamps;
    this.#newStamps = [];
    return stamps;
  }

  async #takeAll(): Promise<readonly Tidings[]> {
    const all: Tidings[] = [];
    for (let member = 0; member < this.#exchange.size; member++) {
      const tidings = await this.#taken(member);
      if (tidings.state === 'done') this.#stamps[member]?.push(...tidings.stamps);
      all.push(tidings);
    }
    return all;
  }

  async #taken(member: number): Promise<Tidings> {
    try {
      return parseTidings(await this.#exchange.take(member, `tidings.${this.#steps}`));
    } catch (error) {
      const message = `what it told did not arrive whole (${(error as Error).message})`;
      return {
        state: 'failed',
        code: 'member-failed',
        message,
        hint: 'run it again, with one version on all hosts',
      };
    }
  }

  #judge(all: readonly Tidings[], conclude: Conclude): Verdict {
    const done = all.filter((one) => one.state === 'done');
    const failed = [...all.entries()].flatMap(([member, one]) =>
      one.state === 'failed' ? [{ ...one, member }] : [],
    );
    const [first, ...others] = failed;
    if (!first) {
      try {
        return { state: 'go', ...conclude(done) };
      } catch (error) {
        const known = knownError(error);
        if (!known) throw error;
        return { state: 'failed', code: known.code, message: known.message, hint: known.hint };
      }
    }
    const [part, ...more] = this.#partsOf(all);
    if (part) {
      const { phase, title, figure, members = [] } = mergeParts([part, ...more]);
      this.#record.incomplete = { phase, title, figure, members };
    }
    const rest = others.length > 0 ? ` (and ${counted(others.length, 'other member')})` : '';
    return { ...first, message: `${this.#nameOf(first.member)}${rest}: ${first.message}` };
  }

  #nameOf(member: number): string {
    const host = this.#facts[member]?.host;
    return `member ${member}${host === undefined ? '' : ` on ${shown(host)}`}`;
  }

  /** On one scale of time: the first of them begins at 0. */
  #partsOf(all: readonly Tidings[]): readonly Part[] {
    const parts = [...all.entries()].flatMap(([member, tidings]) => {
      if (tidings.state !== 'done' || !tidings.measurement) return [];
      const { measurement, beganSeconds = 0 } = tidings;
      const { seconds, withinSeconds } = this.#aheadOf(member);
      const host = this.#facts[member]?.host ?? '';
      const startSeconds = beganSeconds - seconds;
      return [{ member, host, measurement, startSeconds, startWithinSeconds: withinSeconds }];
    });
    const first = parts.reduce((least, { startSeconds }) => Math.min(least, startSeconds), Infinity);
    return parts.map((part) => ({ ...part, startSeconds: part.startSeconds - first }));
  }

  /** Of member 0's clock. Processes of one boot have the same. */
  #aheadOf(member: number) {
    const [own = [], first = []] = [this.#stamps[member], this.#stamps[0]];
    const isSameClock = this.#facts[member]?.boot === this.#facts[0]?.boot;
    return (isSameClock ? null : aheadOf(own, first)) ?? { seconds: 0, withinSeconds: 0 };
  }

  async #wait(name: string): Promise<void> {
    const came = nowSeconds();
    const deadline = AbortSignal.timeout(this.timeoutSeconds * MS_PER_SECOND);
    try {
      await this.#exchange.wait(`${this.#steps} ${name}`, AbortSignal.any([this.#signal, deadline]));
    } catch (error) {
      // The run ends by itself then.
      if (this.#signal.aborted) return;
      this.#isLost = true;
      if (!deadline.aborted) throw error;
      throw new GobonnieError(
        'member-failed',
        `not all members of the job came within ${this.timeoutSeconds} s: one is lost, or much slower`,
        'look at the messages of the launcher; if one is only slow, pass a larger --member-timeout',
      );
    }
    this.#newStamps.push({ came, went: nowSeconds() });
  }
}
