import type { Measurement, Report, Run } from '../../../src/report/schema/report.js';
import { reportWith, runWith } from '../../support/data/fixtures.js';
import { seededRandom } from '../../support/data/seeded-random.js';

const SLOTS = 40;
const COMPLETED = { state: 'completed' } as const;
const CEILING = [
  { step: 'read', perSecond: 8.2e9 },
  { step: 'iops', perSecond: 814_183 },
];

/** A phase whose rate oscillates around the rate of the fixture. */
function makeWavy(measurement: Measurement, random: () => number, level = 1): Measurement {
  const { operationsPerSecond, bytesPerSecond } = measurement;
  const seconds = Array.from({ length: SLOTS }, (_, at) => (at + 1) / 10);
  let done = 0;
  const amounts = seconds.map(() => {
    done += 0.1 * level * (0.7 + 0.6 * random());
    return done;
  });
  const latencies = (ns: number) => seconds.map((_, at) => (at % 7 === 6 ? null : ns * (0.5 + random())));
  const end = SLOTS / 10;
  return {
    ...measurement,
    seconds: end,
    bytesPerSecond: level * bytesPerSecond,
    operationsPerSecond: level * operationsPerSecond,
    series: {
      seconds,
      operations: amounts.map((amount) => amount * operationsPerSecond),
      bytes: amounts.map((amount) => amount * bytesPerSecond),
      latencyNs: { p50: latencies(6e4), p99: latencies(4e5), max: latencies(9e6) },
    },
  };
}

export function wavyRun(random: () => number, level = 1, facts: Partial<Run> = {}): Run {
  const { measurements, ...run } = runWith(facts);
  return { ...run, measurements: measurements.map((one) => makeWavy(one, random, level)) };
}

/** A report of runs at these levels. */
export function wavyReport(seed: number, levels: readonly number[], facts: Partial<Report> = {}): Report {
  const random = seededRandom(seed);
  const runs = levels.map((level) => wavyRun(() => random.upTo(1000) / 1000, level));
  return reportWith({ runs, memoryCeiling: CEILING, outcome: COMPLETED, ...facts });
}
