import { expect, test } from 'vitest';
import { bonnieBrayTable, bonnieTable } from '../../src/format/ancestors/bonnie.js';
import { bonniePlusPlusCsv } from '../../src/format/ancestors/bonnie-plus-plus-csv.js';
import { readResults } from '../../src/read/index.js';
import type { FileSet, Score, Sheet } from '../../src/report/sheet.js';
import { type SeededRandom, seededRandom } from '../support/seeded-random.js';
import { sheetWith } from './sheet.js';

const IO_TESTS = ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks'];
const FILE_TESTS = ['create', 'stat', 'delete', 'create-random', 'stat-random', 'delete-random'];
const ROUNDS = 300;

const isBytes = (name: string) => IO_TESTS.includes(name) && name !== 'seeks';

/** With a decimal where there are few: of seeks that is told. */
function rateOf(random: SeededRandom): number {
  return random.chance(0.5) ? Math.floor(random.between(1000, 1e11)) : random.upTo(9999) / 10;
}

/** As much of a rate as a row tells. */
function told(name: string, perSecond: number): number {
  if (isBytes(name)) return Math.floor(perSecond / 1024) * 1024;
  return name === 'seeks' ? perSecond : Math.floor(perSecond);
}

function scoresOf(tests: readonly string[], random: SeededRandom, leftOut: number): Record<string, Score> {
  return Object.fromEntries(
    tests
      .filter(() => !random.chance(leftOut))
      .map((name) => [
        name,
        {
          figure: isBytes(name) ? ('bytes' as const) : ('operations' as const),
          perSecond: random.chance(0.1) ? null : rateOf(random),
          cpuPercent: random.upTo(4000) / 10,
          latencyNs: Math.round(random.between(1000, 1e12)),
          amount: null,
          seconds: null,
        },
      ]),
  );
}

function filesOf(random: SeededRandom): FileSet {
  const kind = random.oneOf(['files', 'hard-links', 'symlinks'] as const);
  const maxBytes = kind === 'files' && random.chance(0.5) ? 1 + random.upTo(1e6) : 0;
  return {
    // A row tells thousandths of 1024.
    count: 128 * (1 + random.upTo(1e4)),
    kind,
    maxBytes,
    minBytes: random.chance(0.5) ? 0 : random.upTo(maxBytes),
    directories: 1 + (random.chance(0.5) ? random.upTo(1000) : 0),
    chunkBytes: maxBytes > 0 ? random.oneOf([null, 512, 4096, 2 ** 20]) : null,
  };
}

function csvSheet(random: SeededRandom): Sheet {
  const hasBlocks = random.chance(0.8);
  const hasFiles = !hasBlocks || random.chance(0.6);
  return sheetWith({
    program: { name: 'bonnie++', version: random.oneOf(['2.00a', '1.0.0']) },
    label: random.oneOf(['host', 'a long name with blanks', 'ü✓', "it's;fine", '1.5']),
    sizeBytes: hasBlocks ? Math.ceil(random.between(1, 1e7)) * 2 ** 20 : null,
    chunkBytes: hasBlocks ? random.oneOf([null, 256, 8192, 2 ** 20]) : null,
    concurrency: 1 + random.upTo(63),
    seed: random.oneOf([null, '7', '1795271059']),
    seeks: hasBlocks ? random.upTo(1e6) : null,
    seekers: hasBlocks ? 1 + random.upTo(20) : null,
    synced: true,
    files: hasFiles ? filesOf(random) : null,
    scores: {
      ...(hasBlocks ? scoresOf(IO_TESTS, random, 0.2) : {}),
      ...(hasFiles ? scoresOf(FILE_TESTS, random, 0.1) : {}),
    },
  });
}

function tableSheet(random: SeededRandom): Sheet {
  const volumes = random.oneOf([1, 1, 3, 12]);
  return sheetWith({
    program: { name: 'bonnie', version: null },
    label: random.oneOf(['', 'gum07.', 'm 1', 'x']),
    sizeBytes: volumes * (1 + random.upTo(1e6)) * 2 ** 20,
    volumes,
    chunkBytes: 16384,
    seeks: random.oneOf([null, 4000, 64_000]),
    seekers: 3,
    synced: random.chance(0.5),
    unlocked: random.chance(0.5),
    scores: scoresOf(IO_TESTS, random, 0),
  });
}

const reread = (text: string) => readResults(text, 'text').flatMap(({ sheets }) => sheets);

test('what is written as CSV and read back is the same in all that CSV can say', () => {
  const random = seededRandom(1);
  for (let round = 0; round < ROUNDS; round++) {
    const sheet = csvSheet(random);
    const line = bonniePlusPlusCsv([sheet]);
    const [again, ...more] = reread(bonniePlusPlusCsv([sheet], { header: true }));
    expect(more).toEqual([]);
    expect(again && bonniePlusPlusCsv([again])).toBe(line);
    expect(again).toEqual({
      ...sheet,
      scores: Object.fromEntries(
        Object.entries(sheet.scores).map(([name, score]) => [
          name,
          {
            ...score,
            perSecond: score?.perSecond == null ? null : told(name, score.perSecond),
            cpuPercent: score?.perSecond == null ? null : Math.floor(score?.cpuPercent ?? 0),
            latencyNs: expect.any(Number),
          },
        ]),
      ),
    });
  }
});

test.each([
  ["Garloff's", bonnieTable],
  ["Bray's", bonnieBrayTable],
])('%s table that is read back is printed again as it was', (_, tableOf) => {
  const random = seededRandom(2);
  for (let round = 0; round < ROUNDS; round++) {
    const sheets = Array.from({ length: 1 + random.upTo(3) }, () => tableSheet(random));
    const text = tableOf(sheets);
    expect(tableOf(reread(text))).toBe(text);
    expect(reread(text)).toHaveLength(sheets.length);
  }
});
