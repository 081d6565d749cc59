import { GIB } from '../../src/text/units.js';
import { type Command, runChild } from '../harness/child.js';
import type { BenchmarkedProgram } from './benchmarked-program.js';
import { parseGobonniegoJson } from './gobonniego-json.js';
import { queryInstalledVersion } from './installed-version.js';

/** gobonniego always uses blocks of 64 KiB, random operations of 512 bytes, and the page cache. */
const BLOCK_SIZE_BYTES = 65_536;
const IO_SIZE_BYTES = 512;

export const gobonniegoProgram: BenchmarkedProgram = {
  name: 'gobonniego',
  version: (signal) => queryInstalledVersion(['gobonniego', '-version'], signal),
  supports: ({ direct, asProcesses }) => !direct && !asProcesses,
  async measure({ threads, sizeBytes, blockSizeBytes, ioSizeBytes, iopsDurationSeconds }, directory, signal) {
    // biome-ignore format: flags with their values
    const command: Command = [
      'gobonniego', '-dir', directory, '-size', `${sizeBytes / GIB}`,
      '-threads', `${threads}`, '-iops-duration', `${iopsDurationSeconds}`, '-json',
    ];
    const { stdout } = await runChild(command, signal);
    const { write, read, iops } = parseGobonniegoJson(stdout);
    return {
      ...(blockSizeBytes === BLOCK_SIZE_BYTES ? { write, read } : {}),
      ...(ioSizeBytes === IO_SIZE_BYTES ? { iops } : {}),
    };
  },
};
