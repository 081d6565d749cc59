import { randomUUID } from 'node:crypto';
import { GobonnieError, isErrorCode } from '../errors.js';
import type { Exchange } from '../meeting/exchange.js';
import { onHosts } from '../report/measure/host-warnings.js';
import { mergeParts, type Part } from '../report/measure/merge-ranks.js';
import { endsOf } from '../report/measure/range.js';
import type { Measurement, Report, Warning } from '../report/schema/report.js';
import { warningKey } from '../report/warning-catalogue.js';
import { knownError } from '../system-error.js';
import { shown } from '../text/escape.js';
import { groupsOf } from '../text/groups.js';
import { counted } from '../text/units.js';
import { type Ahead, aheadOf, type Stamp } from './clock.js';
import { type Facts, hostsOf, refuseUnlike, sourcesOf } from './facts.js';
import type { Agreement, Decision, Done, Go, StepResult } from './wire.js';

/** Clocks drift: what older waits tell of them is no longer true. */
const MOST_STAMPS = 100;

const SAME_CLOCK: Ahead = { seconds: 0, withinSeconds: 0 };

/** What is added to the decision if no rank has failed. */
export type Addition = (all: readonly Done[]) => Omit<Go, 'state'>;

/** What depends on the plan. */
export type Decided = Omit<Agreement, 'id' | 'sources'>;

/** Rank 0's part of a job: what it knows of all ranks, and what it decides for them. */
export class Coordinator {
  readonly record: NonNullable<Report['job']>;
  readonly #id: string;
  readonly #warnings: Warning[] = [];
  #facts: readonly Facts[] = [];
  #parts: readonly Part[] = [];
  /** Of each rank. */
  readonly #stamps: Stamp[][];

  constructor({ size, id }: Pick<Exchange, 'size' | 'id'>) {
    this.#id = id ?? randomUUID();
    this.record = { ranks: size, hosts: [] };
    this.#stamps = Array.from({ length: size }, () => []);
  }

  /** What all do, if all are alike. */
  agreement(all: readonly Facts[], decide: (all: readonly Facts[]) => Decided): Agreement {
    this.#facts = all;
    refuseUnlike(all);
    const hosts = hostsOf(all);
    const isShifted = hosts.length > 1 && all[0]?.options.readOwnFiles !== true;
    this.record.hosts = hosts;
    this.record.readSource = isShifted
      ? 'next-host'
      : hosts.length === 1
        ? 'own-single-host'
        : 'own-requested';
    return { ...decide(all), id: this.#id, sources: isShifted ? [...sourcesOf(all)] : [...all.keys()] };
  }

  /** All go on, or stop with the first failure. Those that did not fail are then recorded. */
  decide(all: readonly StepResult[], addition: Addition): Decision {
    this.#noteStamps(all);
    this.#noteWarnings(all);
    const failed = [...all.entries()].flatMap(([rank, one]) =>
      one.state === 'failed' ? [{ ...one, rank }] : [],
    );
    const [first, ...others] = failed;
    if (!first) return this.#added(all, addition);
    this.noteIncomplete(all);
    const rest = others.length > 0 ? ` (and ${counted(others.length, 'other rank')})` : '';
    return { ...first, message: `${this.#nameOf(first.rank)}${rest}: ${first.message}` };
  }

  /** What those that did not fail measured in a phase that has no figure. */
  noteIncomplete(all: readonly StepResult[]): void {
    const merged = this.merged(all);
    if (!merged) return;
    const { phase, title, primaryRate, ranks = [] } = merged;
    this.record.failedPhase = { phase, title, primaryRate, ranks };
  }

  /** What they measured together. Null if no rank measured anything. */
  merged(all: readonly StepResult[]): Measurement | null {
    // Each looks through all waits so far.
    const clocks = all.map((_, rank) => this.#aheadOf(rank));
    this.#parts = this.#partsOf(all, clocks);
    const [first, ...others] = this.#parts;
    return first ? { ...mergeParts([first, ...others]), barrierSeconds: barrierSeconds(all, clocks) } : null;
  }

  /** What each rank did in the last phase. */
  get parts(): readonly Part[] {
    return this.#parts;
  }

  /** What other ranks have told of since the last call. */
  takeWarnings(): readonly Warning[] {
    return this.#warnings.splice(0);
  }

  /** Each once, with the hosts that it is about. Rank 0 knows its own. */
  #noteWarnings(all: readonly StepResult[]): void {
    const told = [...all.entries()].flatMap(([rank, result]) =>
      rank === 0 || result.state === 'failed'
        ? []
        : (result.warnings ?? []).map((warning) => ({ warning, host: this.#facts[rank]?.host ?? '' })),
    );
    for (const group of groupsOf(told, ({ warning }) => warningKey(warning))) {
      const [{ warning }] = group;
      this.#warnings.push(onHosts(warning, [...new Set(group.map(({ host }) => host))]));
    }
  }

  #noteStamps(all: readonly StepResult[]): void {
    for (const [rank, result] of all.entries())
      if (result.state === 'done') this.#stamps[rank]?.push(...result.stamps);
    for (const stamps of this.#stamps) stamps.splice(0, stamps.length - MOST_STAMPS);
  }

  #added(all: readonly StepResult[], addition: Addition): Decision {
    try {
      return { state: 'go', ...addition(all.filter((one) => one.state === 'done')) };
    } catch (error) {
      const known = knownError(error);
      if (!known) throw error;
      return { state: 'failed', code: known.code, message: known.message, hint: known.hint };
    }
  }

  #nameOf(rank: number): string {
    const host = this.#facts[rank]?.host;
    return `rank ${rank}${host === undefined ? '' : ` on ${shown(host)}`}`;
  }

  /** On one scale of time: the first of them begins at 0. */
  #partsOf(all: readonly StepResult[], clocks: readonly Ahead[]): readonly Part[] {
    const parts = [...all.entries()].flatMap(([rank, result]) => {
      if (result.state !== 'done' || !result.measurement) return [];
      const { measurement, beganSeconds = 0 } = result;
      const { seconds, withinSeconds } = clocks[rank] ?? SAME_CLOCK;
      const host = this.#facts[rank]?.host ?? '';
      const startOffsetSeconds = beganSeconds - seconds;
      return [{ rank, host, measurement, startOffsetSeconds, startOffsetErrorSeconds: withinSeconds }];
    });
    const first = parts.reduce(
      (least, { startOffsetSeconds }) => Math.min(least, startOffsetSeconds),
      Infinity,
    );
    return parts.map((part) => ({ ...part, startOffsetSeconds: part.startOffsetSeconds - first }));
  }

  /** Of rank 0's clock. Processes of one boot have the same. */
  #aheadOf(rank: number): Ahead {
    const [own = [], first = []] = [this.#stamps[rank], this.#stamps[0]];
    const isSameClock = this.#facts[rank]?.boot === this.#facts[0]?.boot;
    return (isSameClock ? null : aheadOf(own, first)) ?? SAME_CLOCK;
  }
}

/** Of the gate, the last wait before the phase. */
function barrierSeconds(all: readonly StepResult[], clocks: readonly Ahead[]): number {
  const gates = [...all.entries()].flatMap(([rank, result]) => {
    const gate = result.state === 'done' ? result.stamps.at(-1) : undefined;
    const { seconds } = clocks[rank] ?? SAME_CLOCK;
    return gate ? [{ came: gate.came - seconds, went: gate.went - seconds }] : [];
  });
  const [, came] = endsOf(gates.map((gate) => gate.came));
  const [, went] = endsOf(gates.map((gate) => gate.went));
  return Math.max(0, went - came);
}

/** The error that a decision to stop is for every rank. */
export function errorOf({ code, message, hint }: Exclude<Decision, Go>): GobonnieError {
  return new GobonnieError(isErrorCode(code) ? code : 'rank-failed', message, hint);
}
