import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { optionError } from '../errors.js';
import { rejectJobOnBun } from '../runtime.js';
import { display } from '../text/escape.js';
import type { Communicator } from './communicator.js';
import { joinPmi } from './pmi-communicator.js';

type Launched = Pick<NodeJS.Process, 'env' | 'argv'>;

/** Connects to the ranks that a launcher started together with this process. Null if it runs on its own. */
export async function connectToLauncher({ env, argv }: Launched): Promise<Communicator | null> {
  if (env.PMI_FD !== undefined) {
    const size = Number(env.PMI_SIZE);
    const fd = Number(env.PMI_FD);
    if (size === 1) return null;
    rejectJobOnBun();
    if (!isSocket(fd))
      throw optionError(
        'the connection to mpiexec or srun is closed: npx and npm scripts do not pass it on',
        `start the installed program itself: mpiexec -n ${size} gobonnie …, or mpiexec -n ${size} node ${display(argv[1] ?? 'gobonnie')} …`,
      );
    return joinPmi(new Socket({ fd, readable: true, writable: true }), Number(env.PMI_RANK), size);
  }
  // Processes that cannot communicate would measure each other's load, each with its own report.
  if (env.PMI_PORT !== undefined)
    throw optionError('-pmi-port of mpiexec is not supported', 'leave out -pmi-port');
  if (Number(env.OMPI_COMM_WORLD_SIZE) > 1 || env.PMIX_RANK !== undefined)
    throw optionError(
      "this launcher supports only PMIx, like Open MPI's mpirun, so the processes cannot communicate",
      'use mpiexec of MPICH or Intel MPI (mpiexec.hydra), srun --mpi=pmi2, or --rendezvous DIR',
    );
  if (Number(env.SLURM_STEP_NUM_TASKS) > 1)
    throw optionError(
      `srun started ${env.SLURM_STEP_NUM_TASKS} processes that cannot communicate`,
      'use srun --mpi=pmi2, or set SLURM_MPI_TYPE=pmi2',
    );
  return null;
}

/** Rejects several processes for a command that runs as one. */
export function rejectJob(env: NodeJS.ProcessEnv, command: string): void {
  const sizes = [env.PMI_SIZE, env.SLURM_STEP_NUM_TASKS, env.OMPI_COMM_WORLD_SIZE];
  if (!sizes.some((size) => Number(size) > 1)) return;
  throw optionError(`${command} cannot run under mpiexec or srun`, 'start it on its own');
}

/** A Node parent closes the launcher's descriptor for its children, where another file may then have its number. */
function isSocket(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isSocket();
  } catch {
    return false;
  }
}
