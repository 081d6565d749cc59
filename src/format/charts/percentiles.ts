import { percentileCurve } from '../../report/measure/percentile-curve.js';
import { range } from '../../report/measure/range.js';
import type { Latency } from '../../report/schema/report.js';
import { endsOf, sum } from '../../report/statistics/statistics.js';
import { showNs } from '../../text/units.js';
import type { Chart } from '../drawing/chart.js';
import { axes, key, lineMark } from '../drawing/marks.js';
import { logarithmic, type Scale } from '../drawing/scale.js';
import { measurementsOf, type PhaseOfSides, type Side } from '../drawing/side.js';

const [LEFT, RIGHT, PLOT_HEIGHT, ABOVE, BELOW] = [64, 704, 180, 26, 40];
const POINTS = 160;
/** Named in the table. */
const SHARES = [0.5, 0.9, 0.99, 0.999, 0.9999];

type Distribution = Pick<Latency, 'samples' | 'min' | 'max' | 'buckets'>;

/** How long operations took, by percentile: one line for each side, all of its runs together. Null if nothing is known. */
export function percentileChart({ phase, title }: PhaseOfSides, sides: readonly Side[]): Chart | null {
  const known = sides.flatMap((side) => {
    const latencies = measurementsOf([side], phase).flatMap(({ measurement }) => measurement.latencyNs ?? []);
    const latency = merged(latencies);
    const curve = latency ? percentileCurve(latency, POINTS) : [];
    return latency && curve.length > 0 ? [{ side, latency, curve }] : [];
  });
  if (known.length === 0) return null;
  const names = key(
    known.length > 1 ? known.map(({ side }) => [side.name, side.look] as const) : [],
    LEFT,
    14,
  );
  const top = (known.length > 1 ? names.height : 0) + ABOVE;
  const area = { left: LEFT, right: RIGHT, top, bottom: top + PLOT_HEIGHT };
  const all = known.flatMap(({ curve }) => curve);
  const x = byNines(endsOf(all.map(({ share }) => share))[1]);
  const lengths = all.map(({ ns }) => Math.max(1, ns));
  const y = logarithmic(endsOf(lengths), [area.bottom, area.top], showNs);
  return {
    id: `latency-${phase}`,
    heading: title,
    title: `${title}: latency by percentile`,
    sentence: sentenceOf(known.map((one) => one.latency)),
    height: area.bottom + BELOW,
    marks: [
      ...axes(area, x, y, ['percentile', 'latency']),
      ...known.map(({ side, curve }) =>
        lineMark(
          curve.map(({ share, ns }) => [x.at(share), y.at(Math.max(1, ns))]),
          side.look,
        ),
      ),
      ...names.marks,
    ],
    table: [
      ['', ...SHARES.map(showShareOf), 'longest', 'recorded operations'],
      ...known.map(({ side, latency }) => [
        side.name,
        ...SHARES.map((share) => shownNs(latencyAt(latency, share))),
        showNs(latency.max),
        String(latency.samples),
      ]),
    ],
  };
}

/** The axis 0 %, 90 %, 99 %, 99.9 %, equally far apart. */
function byNines(highest: number): Scale {
  const last = -Math.log10(1 - highest);
  const at = (share: number) => LEFT + (-Math.log10(1 - share) / last) * (RIGHT - LEFT);
  const nines = Array.from({ length: Math.floor(last + 1e-9) + 1 }, (_, digits) => 1 - 10 ** -digits);
  const half = last >= 1 ? [0.5] : [];
  return { at, ticks: [...nines, ...half].map((value) => ({ value, text: showShareOf(value) })) };
}

function showShareOf(share: number): string {
  return `${Number((share * 100).toPrecision(12))} %`;
}

/** All latencies as if of one run. */
function merged(latencies: readonly Latency[]): Distribution | null {
  const [first, ...others] = latencies;
  if (!first || others.length === 0) return first ?? null;
  const buckets = new Map<number, Latency['buckets'][number]>();
  for (const bucket of latencies.flatMap((one) => one.buckets)) {
    const count = (buckets.get(bucket.from)?.count ?? 0) + bucket.count;
    buckets.set(bucket.from, { ...bucket, count });
  }
  const [min, max] = endsOf(latencies.flatMap((one) => [one.min, one.max]));
  return {
    samples: sum(latencies.map(({ samples }) => samples)),
    min,
    max,
    buckets: [...buckets.values()].toSorted((one, other) => one.from - other.from),
  };
}

/** Null where too few samples are left. */
function latencyAt(latency: Distribution, share: number): number | null {
  if (latency.samples * (1 - share) < 10) return null;
  const total = sum(latency.buckets.map(({ count }) => count));
  let reached = 0;
  const bucket = latency.buckets.find(({ count }) => {
    reached += count;
    return reached >= share * total;
  });
  return bucket ? Math.min(latency.max, Math.max(latency.min, (bucket.from + bucket.below) / 2)) : null;
}

function shownNs(ns: number | null): string {
  return ns === null ? '' : showNs(ns);
}

/** Of one side, or the range of several. */
function sentenceOf(latencies: readonly Distribution[]): string {
  const at = (share: number) => latencies.flatMap((latency) => latencyAt(latency, share) ?? []);
  const parts = [
    ...(at(0.5).length > 0 ? [`half of the operations took at most ${range(at(0.5), showNs)}`] : []),
    ...(at(0.99).length > 0 ? [`99 % at most ${range(at(0.99), showNs)}`] : []),
    `the longest ${range(
      latencies.map(({ max }) => max),
      showNs,
    )}`,
  ];
  const text = `${parts.join(', ')}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
