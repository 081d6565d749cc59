import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Engine, Request } from '../../../workers/engine/engine.js';
import { engines } from '../../../workers/engine/engine-catalogue.js';
import type { EngineName } from '../../../workers/protocol.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { ENGINE_OPTIONS, HAS_URING } from '../../support/engines.js';
import { requireTools } from '../../support/tools.js';

const BLOCK_BYTES = 512;
const ENGINE_FILE = fileURLToPath(new URL('../../../dist/workers/engine/uring-engine.js', import.meta.url));

type Call = Pick<Request, 'call' | 'positionBytes'> & { readonly fd: number };

function openEngine({ engine, depth }: { engine: EngineName; depth: number }): Engine<Request> {
  const memory = new SharedArrayBuffer(depth * BLOCK_BYTES);
  const requests = Array.from(
    { length: depth },
    (_, slot): Request => ({
      ...{ slot, call: 'read', positionBytes: 0, doneBytes: 0, file: fileOf(-1) },
      memory: new Uint8Array(memory, slot * BLOCK_BYTES, BLOCK_BYTES),
    }),
  );
  const opened = engines[engine].open(requests as [Request], memory);
  onTestFinished(() => opened.close());
  return opened;
}

function fileOf(fd: number): Request['file'] {
  return { fd, index: 0, slice: { fileIndex: 0, file: 'the file', offsetBytes: 0, lengthBytes: 0 } };
}

/** Makes each call as an operation of its own. Its memory is filled with a byte before. */
function makeCalls(
  engine: Engine<Request>,
  calls: readonly Call[],
  fillByte: number,
  onComplete: (request: Request) => void = () => {},
): void {
  let started = 0;
  engine.run({
    next(request) {
      const call = calls[started];
      if (!call) return false;
      request.call = call.call;
      request.positionBytes = call.positionBytes;
      request.file = fileOf(call.fd);
      request.memory.fill(fillByte);
      started += 1;
      return true;
    },
    advance(request) {
      onComplete(request);
      return true;
    },
  });
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
    const { fd } = openBlocks(200);
    const calls = Array.from({ length: 5000 }, (_, index): Call => {
      return { fd, call: 'read', positionBytes: ((index * 7) % 200) * BLOCK_BYTES };
    });
    let completed = 0;
    makeCalls(openEngine(options), calls, 255, ({ positionBytes, memory }) => {
      expect(memory.every((byte) => byte === positionBytes / BLOCK_BYTES)).toBe(true);
      completed += 1;
    });
    expect(completed).toBe(5000);
  });

  test('makes the requests of an operation one after the other', () => {
    const { fd, file } = openBlocks(50);
    let started = 0;
    openEngine(options).run({
      next(request) {
        if (started === 50) return false;
        request.call = 'read';
        request.file = fileOf(fd);
        request.positionBytes = started * BLOCK_BYTES;
        started += 1;
        return true;
      },
      advance(request) {
        if (request.call === 'fsync') return true;
        request.memory.fill((request.memory[0] ?? 0) + 100);
        request.call = request.call === 'read' ? 'write' : 'fsync';
        return false;
      },
    });
    const blocks = Array.from({ length: 50 }, (_, index) => Buffer.alloc(BLOCK_BYTES, index + 100));
    expect(readFileSync(file)).toEqual(Buffer.concat(blocks));
  });

  test('a write changes only the bytes at its position', () => {
    const { fd, file } = openBlocks(3);
    const before = readFileSync(file);
    makeCalls(openEngine(options), [{ fd, call: 'write', positionBytes: 100 }], 77);
    const after = readFileSync(file);
    expect(after.subarray(100, 100 + BLOCK_BYTES).every((byte) => byte === 77)).toBe(true);
    expect(after.subarray(0, 100)).toEqual(before.subarray(0, 100));
    expect(after.subarray(100 + BLOCK_BYTES)).toEqual(before.subarray(100 + BLOCK_BYTES));
  });

  test.each(['fsync', 'fdatasync'] as const)('%s succeeds on a file and fails on a closed one', (call) => {
    const engine = openEngine(options);
    let completed = 0;
    makeCalls(engine, [{ fd: openBlocks(1).fd, call, positionBytes: 0 }], 0, () => completed++);
    expect(completed).toBe(1);
    expect(() => makeCalls(engine, [{ fd: 2 ** 30, call, positionBytes: 0 }], 0)).toThrow(
      expect.objectContaining({ code: 'EBADF', syscall: call }),
    );
  });

  test('a read beyond the end of the file names the end', () => {
    const call: Call = { fd: openBlocks(2).fd, call: 'read', positionBytes: 2 * BLOCK_BYTES - 10 };
    expect(() => makeCalls(openEngine(options), [call], 0)).toThrow(
      expect.objectContaining({ code: 'SHORT', positionBytes: 2 * BLOCK_BYTES }),
    );
  });

  test('a write to a full device fails with ENOSPC', () => {
    const call: Call = { fd: open('/dev/full', 'w'), call: 'write', positionBytes: 4096 };
    expect(() => makeCalls(openEngine(options), [call], 0)).toThrow(
      expect.objectContaining({ code: 'ENOSPC', syscall: 'write' }),
    );
  });
});

describe.runIf(HAS_URING)('io_uring', () => {
  beforeEach(requireTools('mkfifo', 'strace'));

  test('reads the rest after a short transfer', () => {
    const pipe = path.join(makeDirectory(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const fd = open(pipe, constants.O_RDWR);
    spawn('sh', [
      '-c',
      `for part in 1 2 3 4; do head -c ${BLOCK_BYTES / 4} /dev/zero | tr '\\0' $part; sleep 0.1; done > '${pipe}'`,
    ]);
    let text = '';
    const engine = openEngine({ engine: 'uring', depth: 1 });
    makeCalls(engine, [{ fd, call: 'read', positionBytes: 0 }], 0, ({ memory }) => {
      text = Buffer.from(memory).toString();
    });
    expect(text).toBe(['1', '2', '3', '4'].map((part) => part.repeat(BLOCK_BYTES / 4)).join(''));
  });

  test('submits the rest again after a signal', () => {
    const { file } = openBlocks(20);
    const script = `
        const { openSync } = require('node:fs');
        const { UringEngine } = require(${JSON.stringify(ENGINE_FILE)});
        const memory = new SharedArrayBuffer(20 * 512);
        const file = { fd: openSync(process.argv[1], 'r') };
        const requests = Array.from({ length: 20 }, (_, slot) =>
          ({ slot, file, call: 'read', positionBytes: slot * 512, memory: new Uint8Array(memory, slot * 512, 512) }));
        let started = 0;
        new UringEngine(requests, memory).run({ next: () => ++started <= 20, advance: () => true });
        console.log([...new Uint8Array(memory)].every((byte, at) => byte === Math.floor(at / 512)));
      `;
    const log = path.join(makeDirectory(), 'calls');
    const faults = ['-e', 'trace=io_uring_enter', '-e', 'inject=io_uring_enter:error=EINTR:when=1..4'];
    const args = ['-f', '-o', log, ...faults, process.execPath, '--eval', script, file];
    expect(execFileSync('strace', args, { encoding: 'utf8' })).toBe('true\n');
    expect(readFileSync(log, 'utf8').match(/INJECTED/g)?.length).toBeGreaterThanOrEqual(4);
  });

  test('closes only after the requests in flight have completed', () => {
    const { fd } = openBlocks(32);
    const memory = new SharedArrayBuffer(32 * BLOCK_BYTES);
    const requests = Array.from({ length: 32 }, (_, slot): Request => {
      const block = new Uint8Array(memory, slot * BLOCK_BYTES, BLOCK_BYTES);
      const positionBytes = slot * BLOCK_BYTES;
      return { slot, call: 'read', positionBytes, doneBytes: 0, file: fileOf(fd), memory: block };
    });
    const engine = engines.uring.open(requests as [Request, ...Request[]], memory);
    let started = 0;
    const source = {
      next: () => ++started <= 32,
      advance() {
        throw new Error('stopped');
      },
    };
    expect(() => engine.run(source)).toThrow('stopped');
    engine.close();
    expect(requests.map((request) => request.memory[0])).toEqual(requests.map(({ slot }) => slot));
  });
});
