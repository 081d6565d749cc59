import { ENTRY, type ProgramOptions, type StartedProcess, startProcess } from '../programs/program.js';

export const HYDRA = 'mpiexec.hydra';

/** Starts gobonnie as a job of `ranks` processes with MPICH's launcher. */
export function startHydra(
  ranks: number,
  args: readonly string[],
  options: ProgramOptions = {},
): StartedProcess {
  return startProcess(HYDRA, ['-n', String(ranks), process.execPath, ENTRY, ...args], options);
}

/** Starts the same job; each rank first runs a shell command, for which PMI_RANK is the rank. */
export function startHydraShell(ranks: number, before: string, args: readonly string[]): StartedProcess {
  const command = `${before}; exec "$0" "$@"`;
  return startProcess(HYDRA, ['-n', String(ranks), 'bash', '-c', command, process.execPath, ENTRY, ...args]);
}

/**
 * Starts the same job on hosts h0, h1 and so on, which get the ranks in turn. Each rank first runs the shell command
 * `before`, and has its own mounts.
 */
export function startHydraOnHosts(
  { ranks, hosts, before = ':' }: { ranks: number; hosts: number; before?: string },
  args: readonly string[],
): StartedProcess {
  const command = `hostname h$((PMI_RANK % ${hosts})); ${before}; exec "$0" "$@"`;
  const host = ['unshare', '--uts', '--mount', 'bash', '-c', command];
  return startProcess(HYDRA, ['-n', String(ranks), ...host, process.execPath, ENTRY, ...args]);
}
