import type { IoLimit } from '../machine/machine-schema.js';
import { isAtLimit, knownRates, type Load, type RatePair } from '../report/rate.js';
import { computeMedian, minMax } from '../report/statistics/statistics.js';
import { GIB, MIB } from '../text/units.js';
import { groupByIoSize, type SweepPoint } from './point.js';

type Unit = IoLimit['unit'];

const UNITS: readonly Unit[] = ['operations', 'bytes'];

/** A limit that someone has set, and the sign of it besides a flat curve. */
export interface Quota {
  readonly evidence: 'cgroup' | 'level-fall' | 'cloud-volume';
  /** The file of the control group, or the volume with this published limit. Null for a fall. */
  readonly source: string | null;
  readonly unit: Unit;
  /** The kind of work that is limited. Null if points of one I/O size do not show it. */
  readonly limits: Unit | null;
  /** The configured or published limit, or the lower level. */
  readonly perSecond: number;
  readonly burstPerSecond: number | null;
}

export interface QuotaFacts extends Load {
  readonly ioLimits: readonly IoLimit[];
  readonly model: string | null;
  readonly sizeBytes: number | null;
}

export const UNKNOWN_FACTS: QuotaFacts = {
  ioLimits: [],
  model: null,
  sizeBytes: null,
  readShare: 1,
  minSeconds: Number.POSITIVE_INFINITY,
};

const PUBLISHED_TOLERANCE = 0.25;
/** Equal rates of two I/O sizes, and points of a flat curve, are this near. */
const SAME_RATE_TOLERANCE = 0.1;
const FLAT_TOLERANCE = 0.05;

/** Finds a quota of points of one or several I/O sizes. A flat curve alone is none: it may be a saturated disk. */
export function findQuota(points: readonly SweepPoint[], facts: QuotaFacts): Quota | null {
  const limitedByDevice = points.filter((point) => point.isServedByDevice && point.limitedBy === null);
  if (limitedByDevice.length === 0) return null;
  return (
    findConfiguredLimit(limitedByDevice, facts) ??
    findSpentBurst(limitedByDevice) ??
    findPublishedLimit(limitedByDevice, facts)
  );
}

function findConfiguredLimit(points: readonly SweepPoint[], facts: QuotaFacts): Quota | null {
  const reached = facts.ioLimits.filter((limit) => isAtLimit(points, limit, facts));
  // Of the limits of a group and the groups above it, the lowest applies.
  const [limit] = reached.toSorted((one, other) => one.perSecond - other.perSecond);
  return limit ? toQuota(limit) : null;
}

/** Returns the limit of a control group as a quota. */
export function toQuota({ unit, perSecond, file }: IoLimit): Quota {
  return { evidence: 'cgroup', source: file, unit, limits: unit, perSecond, burstPerSecond: null };
}

function findSpentBurst(points: readonly SweepPoint[]): Quota | null {
  const limits = compareIoSizes(points);
  for (const group of groupByIoSize(points)) {
    const samples = group
      .flatMap(({ depth, samples }) => samples.map((sample) => ({ ...sample, depth })))
      .toSorted((one, other) => one.atSeconds - other.atSeconds);
    const fall = findLevelFall(samples);
    if (fall === null) continue;
    const ioSizeBytes = limits === 'bytes' ? group[0].ioSizeBytes : null;
    return {
      evidence: 'level-fall',
      source: null,
      unit: ioSizeBytes === null ? 'operations' : 'bytes',
      limits,
      perSecond: fall.afterPerSecond * (ioSizeBytes ?? 1),
      burstPerSecond: fall.beforePerSecond * (ioSizeBytes ?? 1),
    };
  }
  return null;
}

function findPublishedLimit(
  points: readonly SweepPoint[],
  { model, sizeBytes, readShare }: QuotaFacts,
): Quota | null {
  if (model === null || sizeBytes === null || !groupByIoSize(points).some(isFlat)) return null;
  const ratio = ({ unit, perSecond }: PublishedLimit) => (bestRate(points, unit) ?? 0) / perSecond;
  const distance = (limit: PublishedLimit) => Math.abs(Math.log(ratio(limit)));
  const [nearest] = publishedLimits(model, sizeBytes / GIB)
    .filter(({ readsOnly }) => !readsOnly || readShare === 1)
    .filter((limit) => isNear(ratio(limit), 1, PUBLISHED_TOLERANCE))
    .toSorted((one, other) => distance(one) - distance(other));
  if (!nearest) return null;
  const { volume, unit, perSecond } = nearest;
  return { evidence: 'cloud-volume', source: volume, unit, limits: unit, perSecond, burstPerSecond: null };
}

/** Returns the kind of work with the same best rate at two I/O sizes. Null with one size, or if neither is the same. */
function compareIoSizes(points: readonly SweepPoint[]): Unit | null {
  const groups = groupByIoSize(points);
  const hasSameRate = (unit: Unit) => {
    const rates = groups.map((group) => bestRate(group, unit)).filter((rate) => rate !== null);
    const { min, max } = minMax(rates);
    return rates.length > 1 && isNear(min, max, SAME_RATE_TOLERANCE);
  };
  return UNITS.find(hasSameRate) ?? null;
}

function bestRate(points: readonly RatePair[], unit: Unit): number | null {
  const rates = knownRates(points, unit);
  return rates.length === 0 ? null : minMax(rates).max;
}

/** True if two depths reach the best rate. */
function isFlat(points: readonly SweepPoint[]): boolean {
  const { max } = minMax(points.map(({ operationsPerSecond }) => operationsPerSecond));
  return points.filter((point) => isNear(point.operationsPerSecond, max, FLAT_TOLERANCE)).length > 1;
}

/** Rates from this share of the highest rate on belong to the upper level. */
const UPPER_SHARE = 0.9;
/** Maximum distance of a rate from the upper level, as a share of that level, and the share of the upper rates within it. */
const UPPER_TOLERANCE = 0.05;
const MIN_FLAT_SHARE = 0.75;
/** The share of the rates that must be at one of the levels. During the other measurements, the rate fell or rose. */
const MIN_LEVELS_SHARE = 0.75;
/** Credits may return. Rates that alternate more often have no levels in time. */
const MIN_RATES_PER_CHANGE = 3;

/**
 * The lower level is at most `maxShare` of the upper level, each level has at least `minRates`, and a rate is at most
 * `lowTolerance` of the lower level from it. Some unthrottled disks lose a third of their rate at a great depth, and
 * remain there.
 */
const RULE_FOR_SEVERAL_LOADS = { maxShare: 0.5, minRates: 3, lowTolerance: 0.15 };
/** Under the same load, a smaller fall counts if both levels last. */
const RULES_FOR_ONE_LOAD = [
  { maxShare: 0.5, minRates: 2, lowTolerance: 0.15 },
  { maxShare: 0.75, minRates: 8, lowTolerance: 0.05 },
];

/** Finds a fall in rates in order of time. Ignores loads too small to reach the upper level. Null if there is none. */
export function findLevelFall(samples: readonly Pick<SweepPoint, 'depth' | 'operationsPerSecond'>[]) {
  const upperBound = minMax(samples.map((sample) => sample.operationsPerSecond)).max * UPPER_SHARE;
  const saturating = samples.filter((sample) => sample.operationsPerSecond >= upperBound);
  const { min: minDepth } = minMax(saturating.map(({ depth }) => depth));
  const loaded = samples.filter(({ depth }) => depth >= minDepth);
  const isOneLoad = loaded.every(({ depth }) => depth === loaded[0]?.depth);
  const rules = isOneLoad ? RULES_FOR_ONE_LOAD : [RULE_FOR_SEVERAL_LOADS];
  const rates = loaded.map((sample) => sample.operationsPerSecond);
  return rules.map((rule) => findTwoLevels(rates, upperBound, rule)).find((fall) => fall !== null) ?? null;
}

function findTwoLevels(rates: readonly number[], upperBound: number, rule: typeof RULE_FOR_SEVERAL_LOADS) {
  const uppers = rates.filter((rate) => rate >= upperBound);
  const upper = computeMedian(uppers);
  const lower = computeMedian(rates.filter((rate) => rate <= upper * rule.maxShare));
  const isLower = (rate: number) => isNear(rate, lower, rule.lowTolerance);
  const lowers = rates.filter(isLower);
  const flatUppers = uppers.filter((rate) => isNear(rate, upper, UPPER_TOLERANCE));
  const uppersBefore = rates.slice(0, rates.findIndex(isLower)).filter((rate) => rate >= upperBound);
  const levels = rates.map((rate) => rate >= upperBound);
  const changes = levels.filter((level, at) => at > 0 && level !== levels[at - 1]);
  const isFall =
    Math.min(lowers.length, flatUppers.length, uppersBefore.length) >= rule.minRates &&
    flatUppers.length >= uppers.length * MIN_FLAT_SHARE &&
    uppers.length + lowers.length >= rates.length * MIN_LEVELS_SHARE &&
    changes.length * MIN_RATES_PER_CHANGE <= rates.length;
  return isFall ? { beforePerSecond: upper, afterPerSecond: lower } : null;
}

/** True if the rate is within a share of the level. */
function isNear(rate: number, level: number, tolerance: number): boolean {
  return Math.abs(rate - level) <= level * tolerance;
}

interface PublishedLimit {
  readonly volume: string;
  readonly unit: 'operations' | 'bytes';
  readonly perSecond: number;
  /** True if it does not apply to writes. */
  readonly readsOnly?: boolean;
}

/** Azure's premium disks: name, maximum size in GiB, operations and MiB per second. */
const AZURE_DISKS = [
  ['P4', 32, 120, 25],
  ['P6', 64, 240, 50],
  ['P10', 128, 500, 100],
  ['P15', 256, 1100, 125],
  ['P20', 512, 2300, 150],
  ['P30', 1024, 5000, 200],
] as const;

/** Google's zonal disks: name, reads per second and GiB, MiB per second and GiB. */
const GOOGLE_DISKS = [
  ['pd-standard', 0.75, 0.12],
  ['pd-balanced', 6, 0.28],
  ['pd-ssd', 30, 0.48],
] as const;

/** Returns the published limits of volumes with this device model and size. Empty for other devices. */
function publishedLimits(model: string, gib: number): readonly PublishedLimit[] {
  if (model.startsWith('Amazon Elastic Block Store'))
    return [
      { volume: 'AWS gp3, or gp2 in a burst', unit: 'operations', perSecond: 3000 },
      { volume: 'AWS gp3', unit: 'bytes', perSecond: 125 * MIB },
      { volume: 'AWS gp2', unit: 'operations', perSecond: Math.min(16_000, Math.max(100, 3 * gib)) },
    ];
  if (/^(PersistentDisk|nvme_card-pd)/.test(model))
    return GOOGLE_DISKS.flatMap(([name, reads, mib]) => [
      { volume: `Google ${name}`, unit: 'operations', perSecond: reads * gib, readsOnly: true },
      { volume: `Google ${name}`, unit: 'bytes', perSecond: mib * MIB * gib },
    ]);
  // A VMware disk has the model "Virtual disk".
  const disks = model.startsWith('Virtual Disk') ? AZURE_DISKS : [];
  const [name, , operations, mib] = disks.find(([, maxGib]) => gib <= maxGib) ?? [];
  if (name === undefined) return [];
  return [
    { volume: `Azure ${name}`, unit: 'operations', perSecond: operations },
    { volume: `Azure ${name}`, unit: 'bytes', perSecond: mib * MIB },
  ];
}
