import { isComplete, type Provenance, groupByPhase, findProvenance, type Results } from '../../report/results.js';
import type { Measurement, Report, Run } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import { shownRuns } from '../programs/summary.js';
import { type Look, lookOf } from './colours.js';

/** One of the results that a page shows. */
export interface Side {
  /** What distinguishes it from the others. */
  readonly name: string;
  readonly look: Look;
  readonly results: Results;
}

/** The same phase of all sides that have it. */
export interface PhaseOfSides {
  readonly phase: string;
  readonly title: string;
  readonly primaryRate: Measurement['primaryRate'];
}

export function sidesOf(results: readonly Results[]): readonly Side[] {
  const names = namesOf(results);
  return results.map((one, index) => ({ name: names[index] ?? '', look: lookOf(index), results: one }));
}

/** What a key says of them. */
export function keyOf(sides: readonly Pick<Side, 'name' | 'look'>[]) {
  return sides.length > 1 ? sides.map(({ name, look }) => [name, look] as const) : [];
}

/** What the user calls them, where they were measured, or when: the first that tells them apart. */
function namesOf(results: readonly Results[]): readonly string[] {
  const origins = results.map(findProvenance);
  const directories = origins.map(({ directory }) => directory ?? '');
  const places = origins.map(placeOf);
  const given = results.map(({ name = '' }) => name);
  const dated = results.map(({ report }, at) => `${places[at]} ${report ? startOf(report) : ''}`.trim());
  const isTelling = (names: readonly string[]) =>
    new Set(names).size === names.length && names.every((name) => name !== '');
  const names =
    (results.length > 1 ? [given, directories, places, dated] : [directories, given, places]).find(
      isTelling,
    ) ?? dated.map((name, at) => `${name} (${at + 1})`);
  return names.map(sanitize);
}

function placeOf({ program, label, directory }: Provenance): string {
  return [label, directory].filter(Boolean).join(': ') || program.name;
}

/** When it began, to the second. */
export function startOf({ startedAt }: Report): string {
  return startedAt.replace(/\..*$/, '').replace('T', ' ');
}

/** The phases of all sides, in the order of measurement. */
export function phasesOfSides(sides: readonly Side[]): readonly PhaseOfSides[] {
  const rows = groupByPhase(sides.flatMap(({ results }) => shownRuns(results)));
  return rows.map(([{ phase, title, primaryRate }]) => ({ phase, title: sanitize(title), primaryRate }));
}

/** One measurement of a side. */
export interface Measured {
  readonly side: Side;
  /** Counted from 1. */
  readonly run: number;
  readonly measurement: Measurement;
}

/** A phase in every complete run of gobonnie or, if there is none, in the incomplete ones. */
export function measurementsOf(sides: readonly Side[], phase: string): readonly Measured[] {
  return sides.flatMap((side) =>
    runsIn(side.results.report).flatMap(({ number, measurements }) =>
      measurements
        .filter((one) => one.phase === phase)
        .map((measurement) => ({ side, run: number, measurement })),
    ),
  );
}

function runsIn(report: Report | null): readonly (Run & { readonly number: number })[] {
  const runs = (report?.runs ?? []).map((run, index) => ({ ...run, number: index + 1 }));
  const complete = runs.filter(isComplete);
  return complete.length > 0 ? complete : runs;
}

/** `run 2`, or `B, run 2`. */
export function nameOf({ side, run }: Measured, sides: readonly Side[]): string {
  return sides.length > 1 ? `${side.name}, run ${run}` : `run ${run}`;
}
