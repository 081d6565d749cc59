import { beforeEach, describe, expect, test } from 'vitest';
import { findMeasurement } from '../support/data/all-phases.js';
import { makeDirectory } from '../support/disks/directory.js';
import { requireTools } from '../support/tools.js';
import { measureFilesystem } from './measure-filesystem.js';

describe('a slow sync', () => {
  beforeEach(requireTools('strace'));

  const SYNC_SECONDS = 0.5;
  const SLOW = {
    as: [
      ...['strace', '-f', '-qq', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=fsync'],
      ...['-e', `inject=fsync:delay_enter=${SYNC_SECONDS * 1e6}`],
    ],
  };

  test('is part of the write time with --fsync', async () => {
    const { report } = await measureFilesystem(makeDirectory(), ['--fsync'], SLOW);
    expect(findMeasurement(report, 'write').seconds).toBeGreaterThanOrEqual(SYNC_SECONDS);
  });

  test('is part of only the durable time without --fsync', async () => {
    const { report } = await measureFilesystem(makeDirectory(), [], SLOW);
    const { seconds, durable } = findMeasurement(report, 'write');
    expect((durable?.seconds ?? 0) - seconds).toBeGreaterThanOrEqual(SYNC_SECONDS);
  });
});
