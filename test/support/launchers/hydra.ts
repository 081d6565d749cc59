import { ENTRY, type ProgramOptions, type Started, start } from '../programs/program.js';

export const HYDRA = 'mpiexec.hydra';

/** gobonnie as a job of `members` processes of MPICH's launcher. */
export function startHydra(members: number, args: readonly string[], options: ProgramOptions = {}): Started {
  return start(HYDRA, ['-n', String(members), process.execPath, ENTRY, ...args], options);
}

/** The same with what a shell does in each member before; PMI_RANK says which it is. */
export function startHydraShell(members: number, before: string, args: readonly string[]): Started {
  const command = `${before}; exec "$0" "$@"`;
  return start(HYDRA, ['-n', String(members), 'bash', '-c', command, process.execPath, ENTRY, ...args]);
}

/**
 * The same on hosts of their own names: h0 has the first member, h1 the second and so on in turn. `before` is what a
 * shell does in each member; it has its own mounts.
 */
export function startOnHosts(
  { members, hosts, before = ':' }: { members: number; hosts: number; before?: string },
  args: readonly string[],
): Started {
  const command = `hostname h$((PMI_RANK % ${hosts})); ${before}; exec "$0" "$@"`;
  const host = ['unshare', '--uts', '--mount', 'bash', '-c', command];
  return start(HYDRA, ['-n', String(members), ...host, process.execPath, ENTRY, ...args]);
}
