import { readFileSync, truncateSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { allocateIoMemory } from '../../src/run/worker-pool/io-memory.js';
import { MIB } from '../../src/text/units.js';
import { readZones } from '../../src/zones/read.js';
import { openSource, type ZoneSource } from '../../src/zones/source.js';
import type { Zone } from '../../src/zones/zone.js';
import { requireTools } from '../support/tools.js';
import { attachReadOnlyLoop, makeFile, makeSparseFile } from './files.js';

const memory = new Uint8Array(allocateIoMemory(MIB));
const NEVER = new AbortController().signal;

async function openForTest(file: string): Promise<ZoneSource> {
  const source = await openSource(file, MIB);
  onTestFinished(() => source.handle.close());
  return source;
}

async function collect(zones: AsyncIterable<Zone>): Promise<readonly Zone[]> {
  const collected: Zone[] = [];
  for await (const zone of zones) collected.push(zone);
  return collected;
}

async function readAll(file: string, blockBytes: number): Promise<readonly Zone[]> {
  return collect(readZones(await openForTest(file), blockBytes, memory, NEVER));
}

function listBytes(zones: readonly Zone[]): readonly number[] {
  return zones.map(({ bytes }) => bytes);
}

describe('a file', () => {
  test.each([
    [4 * MIB, 2 * MIB, [2 * MIB, 2 * MIB]],
    [5 * MIB, 2 * MIB, [2 * MIB, 2 * MIB, MIB]],
    [3 * MIB + 1, MIB, [MIB, MIB, MIB, 1]],
    [2 * MIB + 12_345, 3 * MIB, [2 * MIB + 12_345]],
    [MIB, MIB, [MIB]],
  ])('of %i bytes in blocks of %i is read to its last byte: %j', async (size, block, blocks) => {
    const zones = await readAll(makeFile(size), block);
    expect(listBytes(zones)).toEqual(blocks);
    expect(zones.map(({ offsetBytes }) => offsetBytes)).toEqual(blocks.map((_, index) => index * block));
  });

  test('that is truncated during a read is read to its new end', async () => {
    const file = makeFile(8 * MIB);
    const zones: Zone[] = [];
    for await (const zone of readZones(await openForTest(file), 2 * MIB, memory, NEVER)) {
      if (zones.length === 0) truncateSync(file, 5 * MIB);
      zones.push(zone);
    }
    expect(listBytes(zones)).toEqual([2 * MIB, 2 * MIB, MIB]);
  });
});

test('a device of unknown size is read to its end', async (context) => {
  requireTools('root', 'losetup')(context);
  const source = await openForTest(attachReadOnlyLoop(makeFile(3 * MIB)));
  const zones = await collect(readZones({ ...source, sizeBytes: null }, 2 * MIB, memory, NEVER));
  expect(listBytes(zones)).toEqual([2 * MIB, MIB]);
});

describe('an abort', () => {
  test('between two blocks prevents further reads', async () => {
    const abort = new AbortController();
    const zones: Zone[] = [];
    for await (const zone of readZones(await openForTest(makeFile(8 * MIB)), MIB, memory, abort.signal)) {
      zones.push(zone);
      if (zones.length === 3) abort.abort();
    }
    expect(zones).toHaveLength(3);
  });

  test('within a block stops immediately and omits the unfinished block', async () => {
    const abort = new AbortController();
    // Large enough that its single block would take days.
    const source = await openForTest(makeSparseFile(8 * 1024 ** 4));
    const zones = collect(readZones(source, 8 * 1024 ** 4, memory, abort.signal));
    await new Promise((resolve) => setTimeout(resolve, 20));
    abort.abort();
    expect(await zones).toEqual([]);
  });
});

test("the data is read into the caller's memory", async () => {
  const file = makeFile(MIB);
  memory.fill(0);
  await readAll(file, MIB);
  const wanted = readFileSync(file);
  expect(Buffer.compare(memory, wanted)).toBe(0);
});

test('a read error names the file and the offset', async () => {
  const source = await openForTest(makeFile(4 * MIB));
  const zones: Zone[] = [];
  const reading = (async () => {
    for await (const zone of readZones(source, MIB, memory, NEVER)) {
      zones.push(zone);
      if (zones.length === 2) await source.handle.close();
    }
  })();
  await expect(reading).rejects.toMatchObject({
    code: 'system-call-failed',
    kind: 'failure',
    message: expect.stringContaining(`${source.file} cannot be read at offset ${2 * MIB}: `),
  });
  expect(zones).toHaveLength(2);
});
