import { beforeEach, describe, expect, test } from 'vitest';
import { MIB } from '../../src/text/units.js';
import { makeDirectory } from '../support/disks/directory.js';
import { mountExt4 } from '../support/disks/loop.js';
import { mountTmpfs } from '../support/disks/mounts.js';
import { requireTools } from '../support/tools.js';
import { findPhase, measureFilesystem } from './measure-filesystem.js';

describe('on a device that is smaller than it claims', () => {
  beforeEach(requireTools('root', 'mount', 'mkfs.ext4'));

  const FEATURES = ['-E', 'lazy_itable_init=1,lazy_journal_init=1,nodiscard', '-O', '^has_journal'];

  test.each([
    ['after the phase', [], /^\S+ could not be synced to the device: .*\((EIO|ENOSPC)\)$/],
    [
      'within the phase, with --fsync',
      ['--fsync'],
      /^write failed in \S+ while syncing it to the device: .*\((EIO|ENOSPC)\)/,
    ],
    ['at every write, with --direct', ['--direct'], /^write failed in \S+ at offset \d+: .*\((EIO|ENOSPC)\)/],
  ])('a sync that fails %s leaves no result for write', async (_, flags, message) => {
    const dir = mountExt4(256 * MIB, { parent: mountTmpfs('size=24m'), features: FEATURES });
    const { report, exitCode, stdout, stderr } = await measureFilesystem(dir, flags);
    expect(report.outcome).toMatchObject({ state: 'failed', message: expect.stringMatching(message) });
    expect(report.runs).toEqual([expect.objectContaining({ state: 'incomplete', measurements: [] })]);
    expect(report.statistics).toEqual([]);
    expect(stdout).toBe('');
    expect(stderr.match(/^gobonnie: .*$/gm)).toHaveLength(1);
    expect(exitCode).toBe(1);
  });
});

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
    expect(findPhase(report, 'write').seconds).toBeGreaterThanOrEqual(SYNC_SECONDS);
  });

  test('is part of only the durable time without --fsync', async () => {
    const { report } = await measureFilesystem(makeDirectory(), [], SLOW);
    const { seconds, durable } = findPhase(report, 'write');
    expect((durable?.seconds ?? 0) - seconds).toBeGreaterThanOrEqual(SYNC_SECONDS);
  });
});
