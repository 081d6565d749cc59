import { optionError } from '../errors.js';
import type { OptionName } from '../options/option-catalogue.js';
import { listConcurrent } from '../report/listed-steps.js';
import { usedOptions } from '../report/reported-options.js';
import type { Results } from '../report/results.js';
import { allMeasurements } from '../report/runs.js';
import type { Report } from '../report/schema/report.js';
import { sanitize } from '../text/escape.js';
import { groupBy } from '../text/group-by.js';
import { flag, formatFlag } from '../text/message-template.js';
import { formatBytes } from '../text/units.js';
import type { Comparison, EnvironmentDifference } from './comparison-schema.js';

/** A property that should be equal when results are compared. */
export interface ComparedProperty {
  readonly name: string;
  /** Null if unknown. */
  readonly value: string | number | boolean | null;
  /** A size in bytes; a small difference does not count. */
  readonly isSize?: boolean;
  /**
   * `environment`: a difference is only noted and prevents no verdict. `disk`: so is a difference between the directories
   * of `ab`, which compares disks. Otherwise it prevents a verdict.
   */
  readonly kind?: 'environment' | 'disk';
}

type Properties = readonly ComparedProperty[];

const SIZE_TOLERANCE = 0.01;

/** Options that change no result but that a report has, and options that have a property of their own. */
const NOT_COMPARED: readonly string[] = [
  'dir',
  'runs',
  'seconds',
  'untilStable',
  'maxRuns',
  'seed',
  'size',
  'cache',
  'readOwnFiles',
  'unique',
  'verify',
  'steps',
] satisfies OptionName[];

/** Options that each step of a list has itself. The data of all steps may be written in other blocks. */
const OPTIONS_OF_STEPS: readonly string[] = [
  'threads',
  'engine',
  'depth',
  'blockSize',
  'ioSize',
  'mix',
  'direct',
  'noFsync',
  'fsyncPerWrite',
] satisfies OptionName[];

/** One list for each document. */
export function comparedProperties({ report, runs }: Results): readonly Properties[] {
  if (report) return [reportProperties(report)];
  return runs.map(({ sizeBytes, threads, blockBytes }) => [
    { name: '--threads', value: threads },
    { name: '--size', value: sizeBytes, isSize: true },
    { name: '--block-size', value: blockBytes },
  ]);
}

/** Returns the properties of a report, also before its first run. */
export function reportProperties(report: Report): Properties {
  const { machine, target, options, cache, runs, job } = report;
  const nodeMajor = machine.nodeVersion.replace(/^v?(\d+).*$/s, '$1');
  const notCompared = options.steps ? [...NOT_COMPARED, ...OPTIONS_OF_STEPS] : NOT_COMPARED;
  const comparedOptions = Object.entries(usedOptions(report)).filter(([name]) => !notCompared.includes(name));
  // The effect of --cache is known only after a run.
  const appliedCache = runs.length === 0 ? null : cache.applied;
  return [
    { name: 'platform', value: `${machine.platform} ${machine.arch}` },
    // Hosted CI runners vary in these from job to job.
    { name: 'CPU', value: machine.cpuModel, kind: 'environment' },
    { name: 'cores', value: machine.cores, kind: 'environment' },
    { name: 'memory', value: machine.memoryLimitBytes, isSize: true, kind: 'environment' },
    { name: "Node's version", value: nodeMajor, kind: 'environment' },
    { name: 'filesystem', value: target.filesystem, kind: 'disk' },
    { name: 'device', value: target.device, kind: 'disk' },
    { name: 'disk', value: target.disk?.model ?? null, kind: 'disk' },
    { name: 'compression', value: target.compression, kind: 'disk' },
    { name: 'encryption', value: target.encryption, kind: 'disk' },
    { name: '--size', value: options.sizeBytes, isSize: true },
    { name: '--unique or --verify', value: options.unique || options.verify },
    ...comparedOptions.map(([name, value]) => ({
      name: formatFlag(flag(name)),
      value: value ?? 'the default',
    })),
    ...comparedSteps(report, appliedCache),
    { name: 'ranks', value: job?.ranks ?? 1 },
    { name: 'hosts', value: job?.hosts.length ?? 1 },
    { name: "reading other hosts' files", value: job?.readSource === 'next-host' },
    ...(options.steps ? [] : [{ name: '--cache', value: appliedCache, kind: 'disk' as const }]),
    ...directRuns(report),
  ];
}

/** A step that the page cache served has some runs with direct I/O and some without, which may differ in speed. */
function directRuns(report: Report): Properties {
  return groupBy(allMeasurements(report), ({ step }) => step).map((runs) => {
    const count = runs.filter(({ direct }) => direct).length;
    const part = count === 0 ? 'none' : `${count} of ${runs.length}`;
    const value = count === runs.length ? 'all' : part;
    return { name: `number of ${runs[0].step} runs with direct I/O`, value, kind: 'environment' };
  });
}

/** Steps that only one report has are not compared, except as the load beside another step. */
function comparedSteps({ options: { steps = [] } }: Report, appliedCache: string | null): Properties {
  return steps.flatMap((step): Properties => {
    const others = listConcurrent(step, steps).filter((one) => one !== step);
    const { name: stepName, ...settings } = step;
    const beside = others.map((one) => one.name).join(' ') || 'nothing';
    // A report omits these if they are unset.
    const omitted = { intervalSeconds: null, pauseSeconds: null };
    const properties = Object.entries({ ...omitted, ...settings, beside }).map(([name, value]) => ({
      name: `${name} of ${stepName}`,
      value: Array.isArray(value) ? value.join(' ') : (value ?? 'unset'),
    }));
    // Direct I/O bypasses the cache.
    if (step.direct) return properties;
    return [...properties, { name: `--cache of ${stepName}`, value: appliedCache, kind: 'disk' }];
  });
}

/** Returns the properties that both sides have and that differ. */
export function diffProperties(before: Properties, after: Properties): EnvironmentDifference[] {
  return before.flatMap((property) => {
    const other = after.find(({ name }) => name === property.name);
    if (!other || isEquivalent(property, other)) return [];
    return [{ name: property.name, before: formatProperty(property), after: formatProperty(other) }];
  });
}

function isEquivalent({ value, isSize }: ComparedProperty, { value: other }: ComparedProperty): boolean {
  if (value === null || other === null || value === other) return true;
  if (!isSize || typeof value !== 'number' || typeof other !== 'number') return false;
  return Math.abs(value - other) <= SIZE_TOLERANCE * Math.max(value, other);
}

function formatProperty({ value, isSize }: ComparedProperty): string {
  return isSize && typeof value === 'number' ? formatBytes(value) : String(value);
}

export interface PropertySide {
  readonly name: string;
  /** One list for each document. */
  readonly properties: readonly Properties[];
}

/** The differences between both sides, and within each side if it has several documents. `comparesDisks`: as `ab` does. */
export function findDifferences(before: PropertySide, after: PropertySide, comparesDisks = false) {
  const own = pickKnownProperties(before);
  const other = pickKnownProperties(after);
  const all = [
    ...diffProperties(own, other),
    ...findDifferencesWithin(before, own),
    ...findDifferencesWithin(after, other),
  ];
  const isNoted = ({ kind }: ComparedProperty) =>
    kind === 'environment' || (comparesDisks && kind === 'disk');
  const notedNames = new Set([...own, ...other].filter(isNoted).map(({ name }) => name));
  return {
    differences: all.filter(({ name }) => !notedNames.has(name)),
    environmentNotes: all.filter(({ name }) => notedNames.has(name)),
  };
}

/** Takes each property from the first document that has it. */
function pickKnownProperties({ properties }: PropertySide): Properties {
  return groupBy(properties.flat(), ({ name }) => name).map(
    (group) => group.find(({ value }) => value !== null) ?? group[0],
  );
}

function findDifferencesWithin({ name: within, properties }: PropertySide, first: Properties) {
  const differences = properties.flatMap((one) => diffProperties(first, one));
  return groupBy(differences, ({ name }) => name).map(([difference]) => ({ ...difference, within }));
}

/** Error for two results without a verdict: their differences may have caused the change. */
export function incomparableError(
  comparison: Pick<Comparison, 'before' | 'after' | 'differences'>,
  hint = 'measure both the same way, or pass --force',
) {
  const { before, after, differences } = comparison;
  const texts = differences.map((one) => `${one.name} (${one.before} and ${one.after})`);
  return optionError(
    sanitize(`${before} and ${after} cannot be compared: they differ in ${texts.join(', ')}`),
    hint,
  );
}
