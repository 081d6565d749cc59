import { statSync } from 'node:fs';
import { expect } from 'vitest';
import { formatDeviceNumber } from '../../src/machine/block-device.js';
import type { SweepResult } from '../../src/sweep/sweep-result.js';
import { type ControlGroup, makeControlGroup } from '../support/disks/control-group.js';
import { type ProgramOptions, runGobonnie } from '../support/programs/program.js';

/** Short enough that gobonnie does not check whether other programs keep the CPUs busy. */
export const SHORT = ['--threads', '1,4', '--runs', '2', '--iops-duration', '0.3'];
export const BOTH_SIZES = ['--io-size', '4k,64k'];

export const sweepArgs = (dir: string, flags: readonly string[]) => [
  ...['sweep', dir, '--json', '--size', '32M'],
  ...flags,
];

export async function sweep(
  dir: string,
  flags: readonly string[],
  options: ProgramOptions = {},
): Promise<SweepResult> {
  const { stdout, exitCode } = await runGobonnie(sweepArgs(dir, [...SHORT, ...flags]), options);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

/** Creates a control group with limits per second of the device below a directory, such as `read_iops`. */
export function limitDevice(dir: string, limits: Readonly<Record<string, number>>): ControlGroup {
  const group = makeControlGroup('blkio');
  setLimits(group, dir, limits);
  return group;
}

export function setLimits(group: ControlGroup, dir: string, limits: Readonly<Record<string, number>>): void {
  const device = formatDeviceNumber(statSync(dir).dev);
  for (const [kind, perSecond] of Object.entries(limits))
    group.set(`blkio.throttle.${kind}_device`, `${device} ${perSecond}`);
}
