import { mergeRanks, type RankMeasurement } from '../../../src/report/measure/merge-ranks.js';
import type { Measurement, Report } from '../../../src/report/schema/report.js';
import { reportWith, runWith } from '../../support/data/fixtures.js';
import { seededRandom } from '../../support/data/seeded-random.js';

const SLOTS = 40;
const COMPLETED = { state: 'completed' } as const;
const CEILING = [
  { step: 'read', perSecond: 8.2e9 },
  { step: 'iops', perSecond: 814_183 },
];

/** A phase whose rate oscillates around the rate of the fixture. */
function makeWavy(measurement: Measurement, random: () => number, level: number): Measurement {
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

/** A report of runs at these levels. */
export function wavyReport(seed: number, levels: readonly number[], facts: Partial<Report> = {}): Report {
  const random = seededRandom(seed);
  const share = () => random.upTo(1000) / 1000;
  const runs = levels.map((level) =>
    runWith({ measurements: runWith().measurements.map((one) => makeWavy(one, share, level)) }),
  );
  return reportWith({ runs, memoryCeiling: CEILING, outcome: COMPLETED, ...facts });
}

/** Five hosts of two ranks each, one of them much slower. */
export function jobReport(): Report {
  const hosts = ['h0', 'h1', 'h2', '<b>h3</b>', 'a-host-with-a-very-long-name.in.a.large.cluster.example'];
  const measurements = (wavyReport(6, [1]).runs[0]?.measurements ?? []).map((wavy) => {
    const { bytes, operations } = wavy.series;
    const done = { bytes: bytes.at(-1) ?? 0, operations: operations.at(-1) ?? 0 };
    const measurement = { ...wavy, ...done };
    const parts = hosts.flatMap((host, at): RankMeasurement[] =>
      [2 * at, 2 * at + 1].map((rank) => ({
        rank,
        host,
        startOffsetSeconds: at / 100,
        startOffsetErrorSeconds: 0.001,
        measurement: at === 3 ? { ...measurement, seconds: 4 * measurement.seconds } : measurement,
      })),
    );
    const [first, ...others] = parts;
    return first ? mergeRanks([first, ...others]) : measurement;
  });
  const job = {
    ranks: 10,
    hosts: hosts.map((name) => ({ name, ranks: 2, cores: 4, memoryBytes: 1e9 })),
  };
  return { ...wavyReport(6, []), runs: [runWith({ measurements })], job };
}
