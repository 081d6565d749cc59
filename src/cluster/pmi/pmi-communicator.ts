import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { GobonnieError } from '../../errors.js';
import { display } from '../../text/escape.js';
import type { Communicator } from '../communicator.js';
import { PmiConnection, type Reply } from './pmi-connection.js';

/** Includes the line feed. Slurm drops a put in a longer line, but reports success. */
const MAX_REQUEST_LENGTH = 1024;
/** How long a launcher may take to kill this process. */
const MAX_ABORT_MS = 5000;

interface PmiContext {
  readonly rank: number;
  readonly size: number;
  readonly kvsName: string;
  /** The maximum length of a value. */
  readonly valueLength: number;
}

/**
 * Connects ranks through a launcher's PMI-1 server, which has a barrier and a store of short values. A text is
 * compressed and split into values. Its digest detects values that the launcher silently truncates or drops.
 */
export class PmiCommunicator implements Communicator {
  readonly hasImmediateGet = false;
  readonly #connection: PmiConnection;
  readonly #context: PmiContext;
  #end: Promise<void> | null = null;

  private constructor(connection: PmiConnection, context: PmiContext) {
    this.#connection = connection;
    this.#context = context;
  }

  get rank(): number {
    return this.#context.rank;
  }

  get size(): number {
    return this.#context.size;
  }

  static async join(socket: Duplex, position: Pick<PmiContext, 'rank' | 'size'>): Promise<PmiCommunicator> {
    const connection = new PmiConnection(socket);
    try {
      const init = await connection.request('cmd=init pmi_version=1 pmi_subversion=1', 'response_to_init');
      checkReply(init, 'init');
      const maxes = await connection.request('cmd=get_maxes', 'maxes');
      const name = await connection.request('cmd=get_my_kvsname', 'my_kvsname');
      const valueLength = Number(maxes.get('vallen_max')) - 1;
      return new PmiCommunicator(connection, {
        ...position,
        kvsName: name.get('kvsname') ?? '',
        valueLength,
      });
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  async put(name: string, text: string): Promise<void> {
    const data = deflateRawSync(text).toString('base64url');
    const key = `${this.rank}.${name}`;
    const length = Math.min(
      this.#context.valueLength,
      MAX_REQUEST_LENGTH - 1 - this.#putCommand(`${key}.99999`, '').length,
    );
    const count = Math.ceil(data.length / length);
    for (let part = 0; part < count; part++)
      await this.#put(`${key}.${part}`, data.slice(part * length, (part + 1) * length));
    await this.#put(key, `${count}:${computeDigest(data)}`);
  }

  async get(rank: number, name: string): Promise<string> {
    const key = `${rank}.${name}`;
    const [count = '', digest] = (await this.#get(key)).split(':');
    let data = '';
    for (let part = 0; part < Number(count); part++) data += await this.#get(`${key}.${part}`);
    if (computeDigest(data) !== digest)
      throw new GobonnieError(
        'communication-failed',
        `data from rank ${rank} was corrupted in transit`,
        'run it again; if this repeats, use another launcher',
      );
    return inflateRawSync(Buffer.from(data, 'base64url')).toString();
  }

  async barrier(_phase: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const reply = this.#connection.request('cmd=barrier_in', 'barrier_out');
    checkReply(await rejectOnAbort(reply, signal), 'barrier_in');
  }

  /** Without this, a launcher treats the process's exit as a failure and may kill the other ranks. */
  leave(): Promise<void> {
    this.#end ??= this.#connection.end('cmd=finalize', 'finalize_ack');
    return this.#end;
  }

  async abort(exitCode: number): Promise<void> {
    this.#connection.send(`cmd=abort exitcode=${exitCode}`);
    // The launcher kills this process. Otherwise it ends on its own.
    setTimeout(() => this.#connection.close(), MAX_ABORT_MS).unref();
  }

  async #put(key: string, value: string): Promise<void> {
    checkReply(await this.#connection.request(this.#putCommand(key, value), 'put_result'), 'put');
  }

  #putCommand(key: string, value: string): string {
    return `cmd=put kvsname=${this.#context.kvsName} key=${key} value=${value}`;
  }

  async #get(key: string): Promise<string> {
    const reply = await this.#connection.request(
      `cmd=get kvsname=${this.#context.kvsName} key=${key}`,
      'get_result',
    );
    checkReply(reply, `get ${key}`);
    return reply.get('value') ?? '';
  }
}

/** Rejects with the reason of the signal if that comes before the result. */
function rejectOnAbort<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Some launchers leave out `rc` on success. */
function checkReply(reply: Reply, request: string): void {
  const code = reply.get('rc') ?? '0';
  if (code === '0') return;
  throw new GobonnieError(
    'communication-failed',
    `the launcher returned ${display(code)} for ${request}`,
    "check the launcher's messages",
  );
}

function computeDigest(data: string): string {
  return createHash('sha256').update(data).digest('base64url');
}
