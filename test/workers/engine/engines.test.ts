import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Engine, Request } from '../../../workers/engine/engine.js';
import { ThreadsEngine } from '../../../workers/engine/threads-engine.js';
import { UringEngine } from '../../../workers/engine/uring-engine.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { ENGINE_OPTIONS, HAS_URING } from '../../support/engines.js';
import { requireTools } from '../../support/tools.js';

const BLOCK_BYTES = 512;
const ENGINE_FILE = fileURLToPath(new URL('../../../dist/workers/engine/uring-engine.js', import.meta.url));

function openEngine({ engine, depth }: { engine: 'threads' | 'uring'; depth: number }) {
  const memory = new SharedArrayBuffer(depth * BLOCK_BYTES);
  const opened: Engine<Request> = engine === 'uring' ? new UringEngine(depth, memory) : new ThreadsEngine();
  onTestFinished(() => opened.close());
  const makeRequest = (fd: number, call: Request['call'], positionBytes: number, slot = 0): Request => ({
    ...{ call, positionBytes, slot, doneBytes: 0 },
    file: { fd, index: 0, slice: { fileIndex: 0, file: 'the file', offsetBytes: 0, lengthBytes: 0 } },
    memory: new Uint8Array(memory, slot * BLOCK_BYTES, BLOCK_BYTES),
  });
  return { engine: opened, makeRequest };
}

/** Waits for requests and returns those that have completed. */
function complete(engine: Engine<Request>): readonly Request[] {
  const completed: Request[] = [];
  return completed.slice(0, engine.complete(completed));
}

/** Opens a file of so many blocks: each consists of bytes with its number. */
function openBlocks(count: number) {
  const file = path.join(makeDirectory(), 'data');
  writeFileSync(file, Buffer.concat(Array.from({ length: count }, (_, at) => Buffer.alloc(BLOCK_BYTES, at))));
  return { file, fd: open(file, 'r+') };
}

function open(file: string, flags: string | number): number {
  const fd = openSync(file, flags);
  onTestFinished(() => closeSync(fd));
  return fd;
}

describe.each(ENGINE_OPTIONS)('the engine $engine with $depth in flight', (options) => {
  test('completes thousands of reads, each with its own data', () => {
    const { engine, makeRequest } = openEngine(options);
    const { fd } = openBlocks(200);
    const free = Array.from({ length: options.depth }, (_, slot) => makeRequest(fd, 'read', 0, slot));
    let completed = 0;
    for (let started = 0; completed < 5000; ) {
      for (; free.length > 0 && started < 5000; started++) {
        const request = free.pop() as Request;
        request.positionBytes = ((started * 7) % 200) * BLOCK_BYTES;
        request.memory.fill(255);
        engine.submit(request);
      }
      for (const request of complete(engine)) {
        const block = request.positionBytes / BLOCK_BYTES;
        expect(request.memory.every((byte) => byte === block)).toBe(true);
        free.push(request);
        completed += 1;
      }
    }
    expect(free.length).toBe(options.depth);
  });

  test('a write changes only the bytes at its position', () => {
    const { engine, makeRequest } = openEngine(options);
    const { fd, file } = openBlocks(3);
    const before = readFileSync(file);
    const request = makeRequest(fd, 'write', 100);
    request.memory.fill(77);
    engine.submit(request);
    expect(complete(engine)).toEqual([request]);
    const after = readFileSync(file);
    expect(after.subarray(100, 100 + BLOCK_BYTES).every((byte) => byte === 77)).toBe(true);
    expect(after.subarray(0, 100)).toEqual(before.subarray(0, 100));
    expect(after.subarray(100 + BLOCK_BYTES)).toEqual(before.subarray(100 + BLOCK_BYTES));
  });

  test.each(['fsync', 'fdatasync'] as const)('%s succeeds on a file and fails on a closed one', (call) => {
    const { engine, makeRequest } = openEngine(options);
    const request = makeRequest(openBlocks(1).fd, call, 0);
    engine.submit(request);
    expect(complete(engine)).toEqual([request]);
    expect(() => {
      engine.submit(makeRequest(2 ** 30, call, 0));
      complete(engine);
    }).toThrow(expect.objectContaining({ code: 'EBADF', syscall: call }));
  });

  test('a read beyond the end of the file names the end', () => {
    const { engine, makeRequest } = openEngine(options);
    expect(() => {
      engine.submit(makeRequest(openBlocks(2).fd, 'read', 2 * BLOCK_BYTES - 10));
      complete(engine);
    }).toThrow(expect.objectContaining({ code: 'SHORT', positionBytes: 2 * BLOCK_BYTES }));
  });

  test('a write to a full device fails with ENOSPC', () => {
    const { engine, makeRequest } = openEngine(options);
    expect(() => {
      engine.submit(makeRequest(open('/dev/full', 'w'), 'write', 4096));
      complete(engine);
    }).toThrow(expect.objectContaining({ code: 'ENOSPC', syscall: 'write' }));
  });
});

describe.runIf(HAS_URING)('io_uring', () => {
  beforeEach(requireTools('mkfifo', 'strace'));

  test('reads the rest after a short transfer', () => {
    const { engine, makeRequest } = openEngine({ engine: 'uring', depth: 1 });
    const pipe = path.join(makeDirectory(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const fd = open(pipe, constants.O_RDWR);
    const request = makeRequest(fd, 'read', 0);
    spawn('sh', [
      '-c',
      `for part in 1 2 3 4; do head -c ${BLOCK_BYTES / 4} /dev/zero | tr '\\0' $part; sleep 0.1; done > '${pipe}'`,
    ]);
    engine.submit(request);
    expect(complete(engine)).toEqual([request]);
    expect(Buffer.from(request.memory).toString()).toBe(
      ['1', '2', '3', '4'].map((part) => part.repeat(BLOCK_BYTES / 4)).join(''),
    );
  });

  test('submits the rest again after a signal', () => {
    const { file } = openBlocks(20);
    const script = `
        const { openSync } = require('node:fs');
        const { UringEngine } = require(${JSON.stringify(ENGINE_FILE)});
        const memory = new SharedArrayBuffer(20 * 512);
        const engine = new UringEngine(20, memory);
        const file = { fd: openSync(process.argv[1], 'r') };
        for (let slot = 0; slot < 20; slot++)
          engine.submit({ slot, file, call: 'read', positionBytes: slot * 512, memory: new Uint8Array(memory, slot * 512, 512) });
        for (let count = 0; count < 20; ) count += engine.complete([]);
        console.log([...new Uint8Array(memory)].every((byte, at) => byte === Math.floor(at / 512)));
      `;
    const log = path.join(makeDirectory(), 'calls');
    const faults = ['-e', 'trace=io_uring_enter', '-e', 'inject=io_uring_enter:error=EINTR:when=1..4'];
    const args = ['-f', '-o', log, ...faults, process.execPath, '--eval', script, file];
    expect(execFileSync('strace', args, { encoding: 'utf8' })).toBe('true\n');
    expect(readFileSync(log, 'utf8').match(/INJECTED/g)?.length).toBeGreaterThanOrEqual(4);
  });

  test('closes only after the requests in flight have completed', () => {
    const { makeRequest } = openEngine({ engine: 'threads', depth: 32 });
    const { fd } = openBlocks(32);
    const requests = Array.from({ length: 32 }, (_, slot) =>
      makeRequest(fd, 'read', slot * BLOCK_BYTES, slot),
    );
    const engine = new UringEngine(32, requests[0]?.memory.buffer as SharedArrayBuffer);
    for (const request of requests) engine.submit(request);
    engine.close();
    expect(requests.map(({ memory }) => memory[0])).toEqual(requests.map(({ slot }) => slot));
  });
});
