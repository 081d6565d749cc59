import { randomUUID } from 'node:crypto';
import { GobonnieError, isErrorCode } from '../errors.js';
import type { Exchange } from '../meeting/exchange.js';
import { onHosts } from '../report/measure/host-warnings.js';
import { mergeParts, type Part } from '../report/measure/members.js';
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

/** What is added to the decision if no member has failed. */
export type Addition = (all: readonly Done[]) => Omit<Go, 'state'>;

/** What depends on the plan. */
export type Decided = Omit<Agreement, 'id' | 'sources'>;

/** Member 0's part of a job: what it knows of all members, and what it decides for them. */
export class Coordinator {
  readonly record: NonNullable<Report['job']>;
  readonly #id: string;
  readonly #warnings: Warning[] = [];
  #facts: readonly Facts[] = [];
  #parts: readonly Part[] = [];
  /** Of each member. */
  readonly #stamps: Stamp[][];

  constructor({ size, id }: Pick<Exchange, 'size' | 'id'>) {
    this.#id = id ?? randomUUID();
    this.record = { members: size, hosts: [] };
    this.#stamps = Array.from({ length: size }, () => []);
  }

  /** What all do, if all are alike. */
  agreement(all: readonly Facts[], decide: (all: readonly Facts[]) => Decided): Agreement {
    this.#facts = all;
    refuseUnlike(all);
    const hosts = hostsOf(all);
    const isShifted = hosts.length > 1 && all[0]?.options.noShift !== true;
    this.record.hosts = hosts;
    this.record.readBack = isShifted ? 'another-host' : hosts.length === 1 ? 'one-host' : 'no-shift';
    return { ...decide(all), id: this.#id, sources: isShifted ? [...sourcesOf(all)] : [...all.keys()] };
  }

  /** All go on, or stop with the first failure. Those that did not fail are then recorded. */
  decide(all: readonly StepResult[], addition: Addition): Decision {
    this.#noteStamps(all);
    this.#noteWarnings(all);
    const failed = [...all.entries()].flatMap(([member, one]) =>
      one.state === 'failed' ? [{ ...one, member }] : [],
    );
    const [first, ...others] = failed;
    if (!first) return this.#added(all, addition);
    this.noteIncomplete(all);
    const rest = others.length > 0 ? ` (and ${counted(others.length, 'other member')})` : '';
    return { ...first, message: `${this.#nameOf(first.member)}${rest}: ${first.message}` };
  }

  /** What those that did not fail measured in a phase that has no figure. */
  noteIncomplete(all: readonly StepResult[]): void {
    const merged = this.merged(all);
    if (!merged) return;
    const { phase, title, figure, members = [] } = merged;
    this.record.incomplete = { phase, title, figure, members };
  }

  /** What they measured together. Null if no member measured anything. */
  merged(all: readonly StepResult[]): Measurement | null {
    // Each looks through all waits so far.
    const clocks = all.map((_, member) => this.#aheadOf(member));
    this.#parts = this.#partsOf(all, clocks);
    const [first, ...others] = this.#parts;
    return first ? { ...mergeParts([first, ...others]), barrierSeconds: barrierSeconds(all, clocks) } : null;
  }

  /** What each member did in the last phase. */
  get parts(): readonly Part[] {
    return this.#parts;
  }

  /** What other members have told of since the last call. */
  takeWarnings(): readonly Warning[] {
    return this.#warnings.splice(0);
  }

  /** Each once, with the hosts that it is about. Member 0 knows its own. */
  #noteWarnings(all: readonly StepResult[]): void {
    const told = [...all.entries()].flatMap(([member, result]) =>
      member === 0 || result.state === 'failed'
        ? []
        : (result.warnings ?? []).map((warning) => ({ warning, host: this.#facts[member]?.host ?? '' })),
    );
    for (const group of groupsOf(told, ({ warning }) => warningKey(warning))) {
      const [{ warning }] = group;
      this.#warnings.push(onHosts(warning, [...new Set(group.map(({ host }) => host))]));
    }
  }

  #noteStamps(all: readonly StepResult[]): void {
    for (const [member, result] of all.entries())
      if (result.state === 'done') this.#stamps[member]?.push(...result.stamps);
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

  #nameOf(member: number): string {
    const host = this.#facts[member]?.host;
    return `member ${member}${host === undefined ? '' : ` on ${shown(host)}`}`;
  }

  /** On one scale of time: the first of them begins at 0. */
  #partsOf(all: readonly StepResult[], clocks: readonly Ahead[]): readonly Part[] {
    const parts = [...all.entries()].flatMap(([member, result]) => {
      if (result.state !== 'done' || !result.measurement) return [];
      const { measurement, beganSeconds = 0 } = result;
      const { seconds, withinSeconds } = clocks[member] ?? SAME_CLOCK;
      const host = this.#facts[member]?.host ?? '';
      const startSeconds = beganSeconds - seconds;
      return [{ member, host, measurement, startSeconds, startWithinSeconds: withinSeconds }];
    });
    const first = parts.reduce((least, { startSeconds }) => Math.min(least, startSeconds), Infinity);
    return parts.map((part) => ({ ...part, startSeconds: part.startSeconds - first }));
  }

  /** Of member 0's clock. Processes of one boot have the same. */
  #aheadOf(member: number): Ahead {
    const [own = [], first = []] = [this.#stamps[member], this.#stamps[0]];
    const isSameClock = this.#facts[member]?.boot === this.#facts[0]?.boot;
    return (isSameClock ? null : aheadOf(own, first)) ?? SAME_CLOCK;
  }
}

/** Of the gate, the last wait before the phase. */
function barrierSeconds(all: readonly StepResult[], clocks: readonly Ahead[]): number {
  const gates = [...all.entries()].flatMap(([member, result]) => {
    const gate = result.state === 'done' ? result.stamps.at(-1) : undefined;
    const { seconds } = clocks[member] ?? SAME_CLOCK;
    return gate ? [{ came: gate.came - seconds, went: gate.went - seconds }] : [];
  });
  const [, came] = endsOf(gates.map((gate) => gate.came));
  const [, went] = endsOf(gates.map((gate) => gate.went));
  return Math.max(0, went - came);
}

/** The error that a decision to stop is for every member. */
export function errorOf({ code, message, hint }: Exclude<Decision, Go>): GobonnieError {
  return new GobonnieError(isErrorCode(code) ? code : 'member-failed', message, hint);
}
