import { beforeEach, describe, expect, test } from 'vitest';
import { findMeasurement } from '../support/data/all-phases.js';
import { makeDirectory } from '../support/disks/directory.js';
import { requireTools } from '../support/tools.js';
import { measureFilesystem } from './measure-filesystem.js';

describe('a slow sync', () => {
  beforeEach(requireTools('strace'));

  const FLAGS = ['--format', 'ndjson', '--size', '0.01', '--phases', 'write'];
  const SYNC_SECONDS = 0.5;
  const SLOW = {
    as: [
      ...['strace', '-f', '-qq', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=fsync'],
      ...['-e', `inject=fsync:delay_enter=${SYNC_SECONDS * 1e6}`],
    ],
  };

  test('is part of the write time, and an event reports it', async () => {
    const { report, stdout } = await measureFilesystem(makeDirectory(), FLAGS, SLOW);
    expect(findMeasurement(report, 'write').seconds).toBeGreaterThanOrEqual(SYNC_SECONDS);
    expect(stdout).toContain('"activity":"syncing"');
  });

  test('is not part of it with --no-fsync', async () => {
    const { stdout } = await measureFilesystem(makeDirectory(), [...FLAGS, '--no-fsync'], SLOW);
    expect(stdout).not.toContain('"activity":"syncing"');
  });
});
