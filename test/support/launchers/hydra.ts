import { ENTRY, type ProgramOptions, type StartedProcess, startProcess } from '../programs/program.js';

export const HYDRA = 'mpiexec.hydra';

/** gobonnie as a job of `ranks` processes of MPICH's launcher. */
export function startHydra(
  ranks: number,
  args: readonly string[],
  options: ProgramOptions = {},
): StartedProcess {
  return startProcess(HYDRA, ['-n', String(ranks), process.execPath, ENTRY, ...args], options);
}

/** The same with what a shell does in each rank before; PMI_RANK says which it is. */
export function startHydraShell(ranks: number, before: string, args: readonly string[]): StartedProcess {
  const command = `${before}; exec "$0" "$@"`;
  return startProcess(HYDRA, ['-n', String(ranks), 'bash', '-c', command, process.execPath, ENTRY, ...args]);
}

/**
 * The same on hosts of their own names: h0 has the first rank, h1 the second and so on in turn. `before` is what a
 * shell does in each rank; it has its own mounts.
 */
export function startHydraOnHosts(
  { ranks, hosts, before = ':' }: { ranks: number; hosts: number; before?: string },
  args: readonly string[],
): StartedProcess {
  const command = `hostname h$((PMI_RANK % ${hosts})); ${before}; exec "$0" "$@"`;
  const host = ['unshare', '--uts', '--mount', 'bash', '-c', command];
  return startProcess(HYDRA, ['-n', String(ranks), ...host, process.execPath, ENTRY, ...args]);
}
