import { fstatSync } from 'node:fs';
import { connect, Socket } from 'node:net';
import { GobonnieError } from '../errors.js';
import { systemReason } from '../system-error.js';
import { display } from '../text/escape.js';
import type { Communicator } from './communicator.js';
import { handshake } from './pmi/handshake.js';
import { PmiCommunicator } from './pmi/pmi-communicator.js';

type Env = Readonly<Record<string, string | undefined>>;

/** The processes that a launcher started together with this process. Null if it runs on its own. */
export async function connectToLauncher(env: Env, program: string): Promise<Communicator | null> {
  if (env.PMI_FD !== undefined) {
    const position = { rank: Number(env.PMI_RANK), size: Number(env.PMI_SIZE) };
    const descriptor = Number(env.PMI_FD);
    if (position.size === 1) return null;
    if (!isSocket(descriptor)) throw closedConnectionError(position.size, program);
    return PmiCommunicator.join(new Socket({ fd: descriptor, readable: true, writable: true }), position);
  }
  if (env.PMI_PORT !== undefined && env.PMI_ID !== undefined) {
    const [host = '', port = ''] = env.PMI_PORT.split(/:(?=\d+$)/);
    const socket = connect(Number(port), host);
    const place = await handshake(socket, env.PMI_ID).catch((cause: Error) => {
      socket.destroy();
      throw cause instanceof GobonnieError ? cause : unreachableError(env.PMI_PORT ?? '', cause);
    });
    return PmiCommunicator.join(socket, place);
  }
  rejectApart(env);
  return null;
}

/** For a command that is not made for several processes. */
export function rejectJob(env: Env, command: string): void {
  const sizes = [env.PMI_SIZE, env.SLURM_STEP_NUM_TASKS, env.OMPI_COMM_WORLD_SIZE];
  if (!sizes.some((size) => Number(size) > 1)) return;
  throw new GobonnieError(
    'option-invalid',
    `${command} does not run as one of several processes`,
    'start it once, without mpiexec or srun',
  );
}

/** Node closes descriptors that a parent did not open, and another file may have the same number. */
function isSocket(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isSocket();
  } catch {
    return false;
  }
}

function unreachableError(address: string, cause: Error): GobonnieError {
  return new GobonnieError(
    'communication-failed',
    `mpiexec cannot be reached at ${display(address)} (PMI_PORT): ${systemReason(cause)}`,
    'leave out -pmi-port, or use hosts that know that name and can connect to it',
    { cause },
  );
}

function closedConnectionError(size: number, program: string): GobonnieError {
  return new GobonnieError(
    'option-invalid',
    'the connection to mpiexec or srun was closed on the way: npx and npm scripts do that',
    `start the installed program itself: mpiexec -n ${size} gobonnie …, or mpiexec -n ${size} node ${display(program)} …`,
  );
}

/** Processes that know nothing of each other would measure each other's load, each with figures of its own. */
function rejectApart(env: Env): void {
  if (Number(env.OMPI_COMM_WORLD_SIZE) > 1 || env.PMIX_RANK !== undefined)
    throw new GobonnieError(
      'option-invalid',
      "this launcher speaks PMIx only, as Open MPI's mpirun does, so the processes cannot meet",
      'start them by mpiexec of MPICH or Intel MPI (mpiexec.hydra), by srun --mpi=pmi2, or with --rendezvous DIR',
    );
  if (Number(env.SLURM_STEP_NUM_TASKS) > 1)
    throw new GobonnieError(
      'option-invalid',
      `srun has started ${env.SLURM_STEP_NUM_TASKS} processes that cannot meet`,
      'start them by srun --mpi=pmi2, or with SLURM_MPI_TYPE=pmi2',
    );
}
