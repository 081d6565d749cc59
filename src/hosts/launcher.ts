import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { GobonnieError, optionError } from '../errors.js';
import { rejectJobOnBun } from '../runtime.js';
import { display } from '../text/escape.js';
import type { Communicator } from './communicator.js';

/** Includes the line feed. Slurm drops a put in a longer line, but reports success. */
const MAX_REQUEST_LENGTH = 1024;
/** Time in which a launcher forwards a signal to all ranks. */
const LATE_REPLY_MS = 1000;
/** How long a launcher may take to reply to the last request, or to kill this process. */
const MAX_REPLY_MS = 5000;

/** Connects to the ranks that a launcher started together with this process. Null if it runs on its own. */
export async function connectToLauncher({
  env,
  argv,
}: Pick<NodeJS.Process, 'env' | 'argv'>): Promise<Communicator | null> {
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

/**
 * Connects ranks through a launcher's PMI-1 server, which has a barrier and a store of short values. A text is
 * compressed and split into values. Its digest detects values that the launcher silently truncates or drops.
 */
export async function joinPmi(socket: Duplex, rank: number, size: number): Promise<Communicator> {
  const connection = connect(socket);
  const { storeName, maxValueLength } = await openStore(connection).catch((error: unknown) => {
    connection.close();
    throw error;
  });
  const putCommand = (key: string, value: string) => `cmd=put kvsname=${storeName} key=${key} value=${value}`;
  const putValue = (key: string, value: string) =>
    connection.request(putCommand(key, value), 'put_result', 'put');
  const getValue = async (key: string) => {
    const command = `cmd=get kvsname=${storeName} key=${key}`;
    const reply = await connection.request(command, 'get_result', `get ${key}`);
    return reply.get('value') ?? '';
  };
  return {
    rank,
    size,
    hasImmediateGet: false,
    async put(name, text) {
      const data = deflateRawSync(text).toString('base64url');
      const key = `${rank}.${name}`;
      const overhead = 1 + putCommand(`${key}.99999`, '').length;
      const length = Math.min(maxValueLength, MAX_REQUEST_LENGTH - overhead);
      const count = Math.ceil(data.length / length);
      for (let part = 0; part < count; part++)
        await putValue(`${key}.${part}`, data.slice(part * length, (part + 1) * length));
      await putValue(key, `${count}:${computeDigest(data)}`);
    },
    async get(otherRank, name) {
      const key = `${otherRank}.${name}`;
      const [count = '', digest] = (await getValue(key)).split(':');
      let data = '';
      for (let part = 0; part < Number(count); part++) data += await getValue(`${key}.${part}`);
      if (computeDigest(data) !== digest)
        throw new GobonnieError(
          'communication-failed',
          `data from rank ${otherRank} was corrupted in transit`,
          'run it again; if this repeats, use another launcher',
        );
      return inflateRawSync(Buffer.from(data, 'base64url')).toString();
    },
    async barrier(signal) {
      signal.throwIfAborted();
      const reply = connection.request('cmd=barrier_in', 'barrier_out', 'barrier_in');
      await Promise.race([reply, once(signal, 'abort')]);
      signal.throwIfAborted();
    },
    // Without this, a launcher treats the process's exit as a failure and may kill the other ranks.
    leave: () => connection.end('cmd=finalize', 'finalize_ack'),
    async abort(exitCode) {
      connection.send(`cmd=abort exitcode=${exitCode}`);
      // The launcher kills this process. Otherwise it ends on its own.
      void setTimeout(MAX_REPLY_MS, undefined, { ref: false }).then(connection.close);
    },
  };
}

async function openStore({ request }: ReturnType<typeof connect>) {
  await request('cmd=init pmi_version=1 pmi_subversion=1', 'response_to_init', 'init');
  const maxes = await request('cmd=get_maxes', 'maxes', 'get_maxes');
  const name = await request('cmd=get_my_kvsname', 'my_kvsname', 'get_my_kvsname');
  return { storeName: name.get('kvsname') ?? '', maxValueLength: Number(maxes.get('vallen_max')) - 1 };
}

/** The fields of a reply such as `cmd=get_result rc=0 value=x`. */
type Reply = ReadonlyMap<string, string>;

/** Sends PMI-1 requests, and receives a line in reply to each. An unexpected line ends the connection. */
function connect(socket: Duplex) {
  const reader = createInterface({ input: socket });
  const lines = reader[Symbol.asyncIterator]();
  let lastReply: Promise<unknown> = Promise.resolve();
  let isEnding = false;
  // The reader handles no error that follows the end of the replies.
  socket.on('error', () => {});

  /** Sends without waiting for a reply. In one write: some launchers read one command at a time. */
  const send = (request: string) => {
    socket.write(`${request}\n`);
  };

  /** An open connection would keep this process alive. */
  const close = () => {
    reader.close();
    socket.destroy();
  };

  const exchange = async (request: string, replyKind: string): Promise<Reply> => {
    send(request);
    const next = await lines.next().catch((cause: Error) => {
      throw connectionError(`the connection to the launcher failed: ${cause.message}`, { cause });
    });
    if (next.done) throw connectionError('the launcher closed the connection');
    const fields = next.value.matchAll(/([^ =]+)=([^ ]*)/g);
    const reply = new Map(Array.from(fields, ([, key = '', value = '']) => [key, value]));
    if (reply.get('cmd') === replyKind) return reply;
    close();
    throw connectionError(`unexpected reply from the launcher: ${display(next.value.slice(0, 100))}`);
  };

  return {
    send,
    close,
    /** Resolves to the reply, whose `cmd` is `replyKind`. Errors of the launcher name the request `name`. */
    async request(request: string, replyKind: string, name: string): Promise<Reply> {
      if (isEnding) throw new Error('this process leaves');
      const exchanged = exchange(request, replyKind);
      lastReply = exchanged.catch(() => {});
      const reply = await exchanged;
      // Some launchers leave out `rc` on success.
      const code = reply.get('rc') ?? '0';
      if (code !== '0') throw connectionError(`the launcher returned ${display(code)} for ${name}`);
      return reply;
    },
    /**
     * Waits a moment for the reply to the last request, because mpiexec kills all ranks if it cannot deliver a reply.
     * Then sends a final request, and closes the connection even if that fails or gets no reply.
     */
    async end(request: string, replyKind: string): Promise<void> {
      isEnding = true;
      await waitAtMost(LATE_REPLY_MS, lastReply);
      await waitAtMost(MAX_REPLY_MS, exchange(request, replyKind));
      close();
    },
  };
}

/** Resolves when the promise has settled, or after the timeout. */
async function waitAtMost(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  const timeout = setTimeout(milliseconds, undefined, { ref: false });
  await Promise.race([promise.catch(() => {}), timeout]);
}

function connectionError(message: string, options?: ErrorOptions): GobonnieError {
  return new GobonnieError('communication-failed', message, "check the launcher's messages", options);
}

function computeDigest(data: string): string {
  return createHash('sha256').update(data).digest('base64url');
}
