import { cpus, loadavg, release, type } from 'node:os';
import type { Lab } from './lab.js';
import { programs } from './peers/catalogue.js';

/** Where the figures come from: without it they say little to anybody else. */
export async function describeMachine(user: string, { places, signal }: Lab): Promise<string> {
  const versions = await Promise.all(
    programs.map(async ({ name, version }) => [name, (await version(signal)) ?? 'not here'] as const),
  );
  const load = loadavg().map((average) => average.toFixed(2));
  const facts = [
    ['cpu', `${cpus().length} x ${cpus()[0]?.model}`],
    ['kernel', `${type()} ${release()}`],
    ['load', load.join(' ')],
    ['user', user],
    ['disk', places.disk],
    ['node', process.version],
    ...versions,
  ] as const;
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, fact]) => `${name.padEnd(width)}  ${fact}\n`).join('');
}
