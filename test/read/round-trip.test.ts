import { expect, test } from 'vitest';
import { bonnieBrayTable, bonnieTable } from '../../src/format/compat/bonnie.js';
import {
  BONNIE_PLUS_PLUS_CSV_HEADER,
  createBonniePlusPlusCsv,
} from '../../src/format/compat/bonnie-plus-plus-csv.js';
import { FILE_TESTS, IO_TESTS } from '../../src/format/compat/bonnie-tests.js';
import { readResults } from '../../src/read/index.js';
import type { FileSet, RunResult, StepValues } from '../../src/report/results.js';
import { foreignRunWith, type ValuesByPhase } from '../support/data/foreign-runs.js';
import { type SeededRandom, seededRandom } from '../support/data/seeded-random.js';

const ROUNDS = 100;

/** A random rate. Low rates have a decimal, like seeks in rows. */
function drawRate(random: SeededRandom): number {
  return random.chance(0.5) ? Math.floor(random.between(1000, 1e11)) : random.upTo(9999) / 10;
}

/** Limits a result to the precision of a row. */
function roundToRow(result: StepValues): StepValues {
  const { step, bytesPerSecond, operationsPerSecond, cpuPercent } = result;
  const bytes = bytesPerSecond === null ? null : Math.floor(bytesPerSecond / 1024) * 1024;
  const operations =
    operationsPerSecond === null || step === 'seeks' ? operationsPerSecond : Math.floor(operationsPerSecond);
  const isKnown = bytesPerSecond !== null || operationsPerSecond !== null;
  return {
    ...result,
    bytesPerSecond: bytes,
    operationsPerSecond: operations,
    cpuPercent: isKnown ? Math.floor(cpuPercent ?? 0) : null,
    latencyNs: { max: expect.any(Number) },
  };
}

function drawResults(tests: readonly string[], random: SeededRandom, omitted: number): ValuesByPhase {
  return Object.fromEntries(
    tests
      .filter(() => !random.chance(omitted))
      .map((name) => [
        name,
        {
          rate: random.chance(0.1) ? null : drawRate(random),
          cpuPercent: random.upTo(4000) / 10,
          longestNs: Math.round(random.between(1000, 1e12)),
        },
      ]),
  );
}

function drawFiles(random: SeededRandom): FileSet {
  const kind = random.oneOf(['files', 'hard-links', 'symlinks'] as const);
  const maxBytes = kind === 'files' && random.chance(0.5) ? 1 + random.upTo(1e6) : 0;
  return {
    // A row counts files in thousandths of 1024.
    count: 128 * (1 + random.upTo(1e4)),
    kind,
    maxBytes,
    minBytes: random.chance(0.5) ? 0 : random.upTo(maxBytes),
    directories: 1 + (random.chance(0.5) ? random.upTo(1000) : 0),
    blockBytes: maxBytes > 0 ? random.oneOf([null, 512, 4096, 2 ** 20]) : null,
  };
}

function csvRun(random: SeededRandom): RunResult {
  const hasBlocks = random.chance(0.8);
  const hasFiles = !hasBlocks || random.chance(0.6);
  return foreignRunWith({
    program: { name: 'bonnie++', version: random.oneOf(['2.00a', '1.0.0']) },
    label: random.oneOf(['host', 'a long name with blanks', 'ü✓', "it's;fine", '1.5']),
    sizeBytes: hasBlocks ? Math.ceil(random.between(1, 1e7)) * 2 ** 20 : null,
    blockBytes: hasBlocks ? random.oneOf([null, 256, 2 ** 20]) : null,
    threads: 1 + random.upTo(63),
    seed: random.oneOf([null, '7', '1795271059']),
    seeks: hasBlocks ? random.upTo(1e6) : null,
    seekThreads: hasBlocks ? 1 + random.upTo(20) : null,
    synced: true,
    files: hasFiles ? drawFiles(random) : null,
    values: {
      ...(hasBlocks ? drawResults(IO_TESTS, random, 0.2) : {}),
      ...(hasFiles ? drawResults(FILE_TESTS, random, 0.1) : {}),
    },
  });
}

function tableRun(random: SeededRandom): RunResult {
  const dataFiles = random.oneOf([1, 1, 3, 12]);
  return foreignRunWith({
    program: { name: 'bonnie', version: null },
    label: random.oneOf(['', 'gum07.', 'm 1', 'x']),
    sizeBytes: dataFiles * (1 + random.upTo(1e6)) * 2 ** 20,
    dataFiles,
    blockBytes: 16384,
    seeks: random.oneOf([null, 4000, 64_000]),
    seekThreads: 3,
    synced: random.chance(0.5),
    unlocked: random.chance(0.5),
    values: drawResults(IO_TESTS, random, 0),
  });
}

const bonniePlusPlusCsv = createBonniePlusPlusCsv('1.98');

const reread = (text: string) => readResults(text, 'text').flatMap(({ runs }) => runs);

test('bonnie++ CSV keeps every value that fits in a row', () => {
  const random = seededRandom(1);
  for (let round = 0; round < ROUNDS; round++) {
    const run = csvRun(random);
    const line = bonniePlusPlusCsv([run]);
    const [again, ...more] = reread(`${BONNIE_PLUS_PLUS_CSV_HEADER}\n${line}`);
    expect(more).toEqual([]);
    expect(again && bonniePlusPlusCsv([again])).toBe(line);
    expect(again).toEqual({ ...run, steps: run.steps.map(roundToRow) });
  }
});

test.each(['1.97', '1.03'] as const)(
  'a row of bonnie++ %s is printed unchanged after it was read',
  (version) => {
    const random = seededRandom(3);
    const print = createBonniePlusPlusCsv(version);
    for (let round = 0; round < ROUNDS; round++) {
      // A row of 1.03 begins with the name, so a number there would be taken for a version.
      const run = { ...csvRun(random), label: 'host' };
      const line = print([run]);
      expect(print(reread(line))).toBe(line);
    }
  },
);

test.each([
  ["Garloff's", bonnieTable],
  ["Bray's", bonnieBrayTable],
])('%s table is printed unchanged after it was read', (_, printTable) => {
  const random = seededRandom(2);
  for (let round = 0; round < ROUNDS; round++) {
    const runs = Array.from({ length: 1 + random.upTo(3) }, () => tableRun(random));
    const text = printTable(runs);
    expect(printTable(reread(text))).toBe(text);
    expect(reread(text)).toHaveLength(runs.length);
  }
});
