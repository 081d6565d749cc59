import { beforeEach, expect, test } from 'vitest';
import { MIB } from '../../src/text/units.js';
import { IO_LIMIT_FILE } from '../support/disks/control-group.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { runGobonnie } from '../support/programs/program.js';
import { requireTools } from '../support/tools.js';
import { limitDevice, setLimits } from './device-limits.js';

beforeEach(requireTools(IO_LIMIT_FILE, ...LOOP_TOOLS, 'mkfs.ext4'));

/**
 * Runs ab on a fast and a slow disk, in this order or the other, and returns its exit code. The fast disk has a limit,
 * too: the rate of one without would vary by a factor of 50 on a busy machine.
 */
async function compareWithSlowDisk(order: 'slow-second' | 'slow-first', flags: readonly string[]) {
  const fast = mountLoop('ext4');
  const slow = mountLoop('ext4');
  const group = limitDevice(slow, { write_bps: MIB / 2 });
  setLimits(group, fast, { write_bps: 2 * MIB });
  const directories = order === 'slow-first' ? [slow, fast] : [fast, slow];
  const amount = ['--size', '1M', '--threads', '1', '--phases', 'write', '--direct'];
  const args = ['ab', ...directories, ...amount, '--max-regression', '10%', ...flags];
  return (await runGobonnie(args, group)).exitCode;
}

test.each([
  [
    'a second disk that is slower, because a difference of the disks is what ab looks for',
    3,
    'slow-second',
    ['--runs', '5'],
  ],
  ['a second disk that is faster', 0, 'slow-first', ['--runs', '5']],
  ['single runs, which may differ by chance', 0, 'slow-second', ['--runs', '1']],
  ['single runs with --strict', 3, 'slow-second', ['--runs', '1', '--strict']],
] as const)(
  'ab --max-regression of two disks answers %s with exit code %i',
  async (_, code, order, flags) => {
    expect(await compareWithSlowDisk(order, flags)).toBe(code);
  },
);
