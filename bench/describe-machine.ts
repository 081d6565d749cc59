import { cpus, loadavg, release, type } from 'node:os';
import type { BenchContext } from './bench-context.js';
import { allPrograms } from './programs/program-groups.js';

/** Describes the machine and the versions, without which the results mean little. */
export async function describeMachine(user: string, { directories, signal }: BenchContext): Promise<string> {
  const versions = await Promise.all(
    allPrograms.map(async ({ name, version }) => [name, (await version(signal)) ?? 'not installed'] as const),
  );
  const load = loadavg().map((average) => average.toFixed(2));
  const properties = [
    ['cpu', `${cpus().length} x ${cpus()[0]?.model}`],
    ['kernel', `${type()} ${release()}`],
    ['load', load.join(' ')],
    ['user', user],
    ['disk', directories.disk],
    ['node', process.version],
    ...versions,
  ] as const;
  const width = Math.max(...properties.map(([name]) => name.length));
  return properties.map(([name, fact]) => `${name.padEnd(width)}  ${fact}\n`).join('');
}
