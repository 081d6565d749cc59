import { beforeEach, expect, test } from 'vitest';
import { mountExt4 } from '../../support/disks/loop.js';
import type { ProgramOptions } from '../../support/programs/program.js';
import { runUserProgram } from '../../support/programs/user-program.js';
import { NOBODY, requireTools } from '../../support/tools.js';

beforeEach(requireTools('root', 'setpriv', 'mount', 'mkfs.ext4'));

/** Returns the share of the read phase that came from the device, as the kernel counts it. */
async function measureDeviceShare(dir: string, cache: string, options?: ProgramOptions): Promise<number> {
  const source = `
    import { readFileSync } from 'node:fs';
    const fetched = () => Number(/^read_bytes: (\\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))[1]);
    const onEvent = ({ type, phase, measurement }) => {
      if (type === 'phase-start' && phase === 'read') before = fetched();
      if (measurement?.phase === 'read') console.log((fetched() - before) / measurement.bytes);
    };
    let before = 0;
    await run({ ...options, dir, size: 0.0625, phases: 'write,read', cache: '${cache}' }, { onEvent });`;
  const { stdout } = await runUserProgram(source, dir, options);
  return Number.parseFloat(stdout);
}

test.each([
  ['root', {}],
  ['nobody', NOBODY],
])(
  'for %s, read comes from the device by default and from the page cache with --cache keep',
  async (_, options) => {
    const dir = mountExt4(256 * 1024 ** 2);
    expect(await measureDeviceShare(dir, 'auto', options)).toBeGreaterThanOrEqual(0.9);
    expect(await measureDeviceShare(dir, 'keep', options)).toBeLessThan(0.1);
  },
);
