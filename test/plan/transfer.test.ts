import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/machine/machine-schema.js';
import type { OptionsInput } from '../../src/options/options-schema.js';
import { validateOptions } from '../../src/options/validate-options.js';
import { requestSteps } from '../../src/plan/requested-steps.js';
import { ioSizeWarnings, planTransfer } from '../../src/plan/transfer.js';
import { KIB } from '../../src/text/units.js';
import { gobonnieErrorWith, type MachineFacts, machineWith } from '../support/data/fixtures.js';

function transferWith(input: OptionsInput, machine: MachineFacts = {}) {
  const options = validateOptions(input);
  const transfer = planTransfer(options, machineWith(machine), []);
  const goal = { unit: 'seconds', amount: 1 } as const;
  const facts = {
    transfer,
    goal,
    keepsCached: false,
    pauseSeconds: 0,
    maxOperationsPerWorker: null,
    assignments: [],
    beside: null,
    dataFiles: 0,
    isAlone: true,
  };
  const requested = requestSteps({ ...options, phases: ['iops'] });
  const steps = requested.steps.map(({ name, title, phase }) => ({ name, title, phase, ...facts }));
  return { transfer, warnings: ioSizeWarnings(steps, requested) };
}

/** The default machine, with a disk of this logical block size. */
function diskWithBlock(logicalBlockBytes: number | null): MachineFacts {
  const { disk } = machineWith().target;
  return { target: { disk: { ...(disk as Disk), logicalBlockBytes } } };
}

test('without options that need whole sectors, operations have exactly the sizes of the options', () => {
  const { transfer, warnings } = transferWith({ blockSize: '64k', ioSize: 511, noFsync: false });
  expect(transfer).toEqual({
    blockSizeBytes: 64 * KIB,
    ioSizeBytes: 511,
    readPercent: 90,
    alignBytes: 1,
    direct: false,
    engine: 'threads',
    depth: 1,
    fsync: true,
    syncPerWrite: null,
    strideBytes: 65_536,
    byteWiseBytes: 0,
    intervalMs: null,
    repeats: false,
    seeks: 8192,
    fileBlockBytes: 64 * KIB,
  });
  expect(warnings).toEqual([]);
});

test.each([
  [{ verify: true, blockSize: 768 }, '--block-size 768', '--verify', 1024],
  [{ unique: true, blockSize: 256 }, '--block-size 256', '--unique', 512],
  [{ compressible: 50, blockSize: 1280 }, '--block-size 1280', '--compressible', 1536],
])('stamps and zeros need blocks of whole sectors: %j', (input, option, stamper, suggestedBytes) => {
  expect(() => transferWith(input)).toThrow(
    gobonnieErrorWith(
      'option-invalid',
      `${option} is not a multiple of 512 bytes, the unit of ${stamper}; ` +
        `for example, --block-size ${suggestedBytes}`,
    ),
  );
});

describe('--direct', () => {
  test.each([
    [512, 512, 512],
    [512, 513, 1024],
    [4096, 512, 4096],
    [null, 512, 4096],
  ])(
    'on a device with blocks of %s bytes raises operations of %i bytes to %i, and aligns them to that size',
    (block, ioSize, moved) => {
      const { transfer, warnings } = transferWith({ direct: true, ioSize }, diskWithBlock(block));
      expect(transfer).toMatchObject({ direct: true, alignBytes: moved, ioSizeBytes: moved });
      expect(warnings.map(({ code }) => code)).toEqual(moved === ioSize ? [] : ['io-size-raised']);
    },
  );

  test.each([
    ['macOS', 'darwin'],
    ['freebsd', 'freebsd'],
  ] as const)('is rejected on %s', (name, platform) => {
    expect(() => transferWith({ direct: true }, { platform })).toThrow(
      gobonnieErrorWith(
        'option-invalid',
        `--direct does not work on ${name}; leave it out, or measure on Linux or Windows`,
      ),
    );
    expect(() => transferWith({ direct: false }, { platform })).not.toThrow();
  });

  test("needs a --block-size that is a multiple of the device's block size", () => {
    expect(() => transferWith({ direct: true, blockSize: '12k' }, diskWithBlock(8192))).toThrow(
      gobonnieErrorWith(
        'option-invalid',
        '--block-size 12288 is not a multiple of 8 KiB, the unit of --direct in /mnt/disk; ' +
          'for example, --block-size 16384',
      ),
    );
    expect(transferWith({ direct: true, blockSize: 8192 }, diskWithBlock(8192)).transfer.blockSizeBytes).toBe(
      8192,
    );
  });
});

test.each([
  [
    'a step',
    'through the page cache are multiples of their size, as in applications',
    { steps: 'random' },
    4096,
  ],
  ['gobonniego', 'start anywhere', {}, 1],
])('the random operations of %s %s', (_, __, input, alignBytes) => {
  expect(transferWith({ ...input, ioSize: 4096 }).transfer).toMatchObject({ alignBytes, direct: false });
});

describe('stamps', () => {
  test.each([
    [1, 512],
    [513, 1024],
  ])('raise operations of %i bytes to %i', (ioSize, moved) => {
    const { transfer, warnings } = transferWith({ verify: true, ioSize });
    expect(transfer).toMatchObject({ ioSizeBytes: moved, alignBytes: 512, direct: false });
    expect(warnings).toHaveLength(moved === ioSize ? 0 : 1);
  });

  test.each([[{ verify: true }], [{ unique: true }], [{ verify: true, unique: true }]])(
    'with %j are the reason in the warning about larger operations',
    (input) => {
      const { warnings } = transferWith({ ...input, ioSize: 100 });
      expect(warnings[0]?.message).toBe(
        'random operations move 512 instead of 100 bytes: the data is stamped in whole sectors',
      );
    },
  );

  test('with --direct use the larger of the two units', () => {
    const input = { verify: true, direct: true, ioSize: 100 };
    const large = transferWith(input, diskWithBlock(4096));
    expect(large.transfer).toMatchObject({ alignBytes: 4096, ioSizeBytes: 4096 });
    expect(large.warnings[0]?.message).toContain('direct I/O moves whole blocks');
    expect(transferWith(input, diskWithBlock(512)).transfer).toMatchObject({ alignBytes: 512 });
  });
});
