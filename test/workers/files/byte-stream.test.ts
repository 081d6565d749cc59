import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ByteStreamSetup, inputStream, outputStream } from '../../../workers/files/byte-stream.js';
import { DataError } from '../../../workers/files/read-write.js';
import { LatencyRecorder } from '../../../workers/latency-recorder.js';
import { LIMIT, POSITION, STOPPED } from '../../../workers/protocol.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { testOnLinux } from '../../support/linux.js';

const FREE = 0;
const HELD = 1;

/** Calls back during each recorded operation. */
class CallbackRecorder extends LatencyRecorder {
  readonly #onOperation: () => void;

  constructor(onOperation: () => void) {
    super();
    this.#onOperation = onOperation;
  }

  override end(beganNs: number): void {
    this.#onOperation();
    super.end(beganNs);
  }
}

/** Makes an open file with this content, and a free lock. */
function makeSetup(content: Uint8Array, facts: Partial<ByteStreamSetup> = {}) {
  const file = path.join(makeDirectory(), 'bonnie.0');
  writeFileSync(file, content);
  const fd = openSync(file, 'r+');
  onTestFinished(() => closeSync(fd));
  const lock = new Int32Array(new SharedArrayBuffer(4));
  const setup: ByteStreamSetup = {
    fd,
    positionBytes: 0,
    lock,
    progress: new Float64Array(4),
    latency: new LatencyRecorder(),
    flags: new Int32Array(2),
    ...facts,
  };
  return { file, fd, lock, setup };
}

/** Returns bytes that differ from their neighbours, in blocks that also differ if their size is round. */
function makeBytes(length: number, from = 0): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => ((from + index) * 7) % 251);
}

const SHAPES = [
  { blockBytes: 256, count: 3 },
  { blockBytes: 1000, count: 11 },
  { blockBytes: 4096, count: 2 },
  { blockBytes: 4097, count: 3 },
  { blockBytes: 12_288, count: 1 },
];

describe('in an output stream', () => {
  test.each(SHAPES)(
    '$count blocks of $blockBytes bytes are written to the file unchanged',
    ({ blockBytes, count }) => {
      const { file, setup } = makeSetup(Buffer.of());
      const bytes = makeBytes(blockBytes * count);
      const stream = outputStream(setup);
      for (let at = 0; at < bytes.length; at += blockBytes) stream.move(bytes.subarray(at, at + blockBytes));
      stream.end();
      expect(Buffer.compare(readFileSync(file), bytes)).toBe(0);
    },
  );

  test('the bytes before and after the slice do not change', () => {
    const { file, setup } = makeSetup(new Uint8Array(9000).fill(255), { positionBytes: 300 });
    const stream = outputStream(setup);
    stream.move(makeBytes(5000));
    stream.end();
    const written = readFileSync(file);
    expect(written.length).toBe(9000);
    expect(Buffer.compare(written.subarray(300, 5300), makeBytes(5000))).toBe(0);
    const others = [...written.subarray(0, 300), ...written.subarray(5300)];
    expect(others.filter((byte) => byte !== 255)).toEqual([]);
  });

  testOnLinux('a system error keeps its code, and the progress has the offset of the failed write', () => {
    const fd = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(fd));
    const { setup } = makeSetup(Buffer.of(), { fd, positionBytes: 65_536 });
    const stream = outputStream(setup);
    const act = () => {
      stream.move(makeBytes(4096));
      stream.end();
    };
    expect(act).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
    expect(setup.progress[POSITION]).toBe(65_536);
  });
});

describe('in an input stream', () => {
  test.each(SHAPES)(
    '$count blocks of $blockBytes bytes equal the bytes of the file',
    ({ blockBytes, count }) => {
      const bytes = makeBytes(blockBytes * count);
      const { setup } = makeSetup(bytes);
      const stream = inputStream(setup);
      const got = new Uint8Array(bytes.length);
      for (let at = 0; at < got.length; at += blockBytes) stream.move(got.subarray(at, at + blockBytes));
      expect(Buffer.compare(got, bytes)).toBe(0);
    },
  );

  test('the first byte comes from the start of the slice', () => {
    const { setup } = makeSetup(makeBytes(9000), { positionBytes: 300 });
    const got = new Uint8Array(5000);
    inputStream(setup).move(got);
    expect(Buffer.compare(got, makeBytes(5000, 300))).toBe(0);
  });

  test.each([
    ['in the middle of a block', 7000],
    ['at the start of a block', 5000],
    ['before the slice', 0],
  ])('a file that ends %s throws an error with the offset of its end', (_, length) => {
    const { setup } = makeSetup(makeBytes(length));
    const stream = inputStream(setup);
    const act = () => {
      for (let block = 0; block < 3; block++) stream.move(new Uint8Array(2500));
    };
    expect(act).toThrow(
      expect.objectContaining({ constructor: DataError, code: 'SHORT', positionBytes: length }),
    );
  });
});

test('the stream writes 4096 bytes at a time, like stdio, and the rest at the end', () => {
  const sizes: number[] = [];
  const { fd, setup } = makeSetup(Buffer.of());
  const latency = new CallbackRecorder(() => sizes.push(fstatSync(fd).size));
  const stream = outputStream({ ...setup, latency });
  for (let block = 0; block < 10; block++) stream.move(makeBytes(1000));
  expect(sizes).toEqual([4096, 8192]);
  stream.end();
  expect(sizes).toEqual([4096, 8192, 10_000]);
});

test('the stream reads 4096 bytes ahead at a time', () => {
  const positions: (number | undefined)[] = [];
  const { setup } = makeSetup(makeBytes(10_100), { positionBytes: 30 });
  const latency = new CallbackRecorder(() => positions.push(setup.progress[POSITION]));
  const stream = inputStream({ ...setup, latency });
  for (let block = 0; block < 4; block++) stream.move(new Uint8Array(2500));
  expect(positions).toEqual([30, 4126, 8222]);
});

test.each([
  ['written', outputStream],
  ['read', inputStream],
])('after the stop flag is set, no more bytes are %s', (_, make) => {
  const flags = new Int32Array(2);
  let calls = 0;
  const latency = new CallbackRecorder(() => {
    calls += 1;
    if (calls === 3) flags[LIMIT] = STOPPED;
  });
  const { setup } = makeSetup(makeBytes(100_000), { flags, latency });
  make(setup).move(new Uint8Array(100_000));
  expect(calls).toBe(3);
  expect(setup.progress[POSITION]).toBe(2 * 4096);
  expect(setup.lock[0]).toBe(FREE);
});

test.each([
  ['an output stream holds the lock during a write', outputStream, [HELD, HELD]],
  ['an input stream holds the lock during a read', inputStream, [HELD, HELD, HELD]],
] as const)('%s, and it is free afterwards', (_, make, states) => {
  const { lock, setup } = makeSetup(makeBytes(10_000));
  const seen: (number | undefined)[] = [];
  const latency = new CallbackRecorder(() => seen.push(lock[0]));
  const stream: ReturnType<typeof inputStream> & { end?(): void } = make({ ...setup, latency });
  stream.move(makeBytes(10_000));
  expect(seen).toEqual(states);
  expect(lock[0]).toBe(FREE);
  stream.end?.();
  expect(lock[0]).toBe(FREE);
});
