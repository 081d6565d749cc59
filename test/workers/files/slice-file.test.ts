import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SameBlock } from '../../../workers/data/same-block.js';
import { prepareSequential } from '../../../workers/files/slice-file.js';
import { LatencyRecorder } from '../../../workers/latency-recorder.js';
import type { PhaseContext } from '../../../workers/phases/phase.js';
import { Random } from '../../../workers/random.js';
import { makeDirectory } from '../../support/disks/directory.js';

const BLOCK_BYTES = 4096;
const FLAGS = [constants.O_WRONLY, constants.O_RDWR, constants.O_RDONLY];

/** Returns a worker's context. Its file does not exist yet. */
function makeContext(directory: string): PhaseContext {
  const block = new Uint8Array(BLOCK_BYTES);
  const randomBlock = new Uint8Array(512);
  return {
    slices: [
      { fileIndex: 0, file: path.join(directory, 'bonnie.0'), offsetBytes: 0, lengthBytes: BLOCK_BYTES },
    ],
    tree: null,
    transfer: {
      blockSizeBytes: BLOCK_BYTES,
      ioSizeBytes: 512,
      alignBytes: 1,
      readPercent: 90,
      direct: false,
      fsync: false,
      syncPerWrite: null,
      strideBytes: 1,
      byteMode: 'locked',
      byteWiseBytes: 0,
      seeks: 0,
      fileBlockBytes: 0,
    },
    data: new SameBlock(block, block, randomBlock, new Int32Array(1)),
    blockRegion: block,
    randomBlockRegion: randomBlock,
    fileBlock: block,
    fileRegion: block,
    random: new Random(1),
    treeKey: [1],
    tickets: new Int32Array(1),
    lock: new Int32Array(1),
    flags: new Int32Array(2),
    progress: new Float64Array(4),
    latency: new LatencyRecorder(),
    writeLatency: new LatencyRecorder(),
  };
}

function firstFile({ slices: [slice] }: PhaseContext): string {
  if (!slice) throw new Error('there is no slice');
  return slice.file;
}

test('opening a slice does not create a missing file', () => {
  const context = makeContext(makeDirectory());
  for (const flags of FLAGS) expect(() => prepareSequential(context, flags, () => {})).toThrow('ENOENT');
  expect(existsSync(firstFile(context))).toBe(false);
});

test('opening a slice fails if a link is in place of the file, for writing and for reading', () => {
  const directory = makeDirectory();
  const context = makeContext(directory);
  const victim = path.join(directory, 'victim');
  writeFileSync(victim, 'mine');
  symlinkSync(victim, firstFile(context));
  for (const flags of FLAGS) expect(() => prepareSequential(context, flags, () => {})).toThrow('ELOOP');
  expect(readFileSync(victim, 'utf8')).toBe('mine');
});

test('the error names a file that cannot be closed, and the other files are still closed', () => {
  const directory = makeDirectory();
  const [slice] = makeContext(directory).slices;
  if (!slice) throw new Error('there is no slice');
  const slices = [0, 1, 2].map((index) => ({
    ...slice,
    fileIndex: index,
    file: path.join(directory, `bonnie.${index}`),
  }));
  for (const { file } of slices) writeFileSync(file, '');
  const fds: number[] = [];
  const job = prepareSequential({ ...makeContext(directory), slices }, constants.O_WRONLY, ({ fd }) =>
    fds.push(fd),
  );
  job.run();
  const [first = -1, ...others] = fds;
  closeSync(first);
  expect(() => job.close()).toThrow(expect.objectContaining({ code: 'EBADF', path: slices[0]?.file }));
  for (const fd of others) expect(() => fstatSync(fd)).toThrow('EBADF');
});
