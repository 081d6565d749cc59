import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { GobonnieError } from '../errors.js';
import { display } from '../text/escape.js';
import type { Communicator } from './communicator.js';

/** Includes the line feed. Slurm drops a put in a longer line, but reports success. */
const MAX_REQUEST_LENGTH = 1024;
/** Time in which a launcher forwards a signal to all ranks. */
const LATE_REPLY_MS = 1000;
/** How long a launcher may take to reply to the last request, or to kill this process. */
const MAX_REPLY_MS = 5000;

/**
 * Connects ranks through a launcher's PMI-1 server, which has a barrier and a store of short values. A text is
 * compressed and split into values. Its digest detects values that the launcher silently truncates or drops.
 */
export class PmiCommunicator implements Communicator {
  readonly hasImmediateGet = false;
  readonly rank: number;
  readonly size: number;
  readonly #connection: PmiConnection;
  #kvsName = '';
  #maxValueLength = 0;
  #end: Promise<void> | null = null;

  private constructor(socket: Duplex, rank: number, size: number) {
    this.rank = rank;
    this.size = size;
    this.#connection = new PmiConnection(socket);
  }

  static async join(socket: Duplex, rank: number, size: number): Promise<PmiCommunicator> {
    const communicator = new PmiCommunicator(socket, rank, size);
    try {
      await communicator.#init();
      return communicator;
    } catch (error) {
      communicator.#connection.close();
      throw error;
    }
  }

  async put(name: string, text: string): Promise<void> {
    const data = deflateRawSync(text).toString('base64url');
    const key = `${this.rank}.${name}`;
    const overhead = 1 + this.#putCommand(`${key}.99999`, '').length;
    const length = Math.min(this.#maxValueLength, MAX_REQUEST_LENGTH - overhead);
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

  async barrier(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const reply = this.#connection.request('cmd=barrier_in', 'barrier_out');
    await Promise.race([reply, once(signal, 'abort')]);
    signal.throwIfAborted();
    checkReply(await reply, 'barrier_in');
  }

  /** Without this, a launcher treats the process's exit as a failure and may kill the other ranks. */
  leave(): Promise<void> {
    this.#end ??= this.#connection.end('cmd=finalize', 'finalize_ack');
    return this.#end;
  }

  async abort(exitCode: number): Promise<void> {
    this.#connection.send(`cmd=abort exitcode=${exitCode}`);
    // The launcher kills this process. Otherwise it ends on its own.
    void setTimeout(MAX_REPLY_MS, undefined, { ref: false }).then(() => this.#connection.close());
  }

  async #init(): Promise<void> {
    const connection = this.#connection;
    const init = await connection.request('cmd=init pmi_version=1 pmi_subversion=1', 'response_to_init');
    checkReply(init, 'init');
    const maxes = await connection.request('cmd=get_maxes', 'maxes');
    this.#maxValueLength = Number(maxes.get('vallen_max')) - 1;
    const name = await connection.request('cmd=get_my_kvsname', 'my_kvsname');
    this.#kvsName = name.get('kvsname') ?? '';
  }

  async #put(key: string, value: string): Promise<void> {
    checkReply(await this.#connection.request(this.#putCommand(key, value), 'put_result'), 'put');
  }

  #putCommand(key: string, value: string): string {
    return `cmd=put kvsname=${this.#kvsName} key=${key} value=${value}`;
  }

  async #get(key: string): Promise<string> {
    const reply = await this.#connection.request(`cmd=get kvsname=${this.#kvsName} key=${key}`, 'get_result');
    checkReply(reply, `get ${key}`);
    return reply.get('value') ?? '';
  }
}

/** The fields of a reply such as `cmd=get_result rc=0 value=x`. */
type Reply = ReadonlyMap<string, string>;

/** Sends PMI-1 requests, and receives a line in reply to each. An unexpected line ends the connection. */
class PmiConnection {
  readonly #socket: Duplex;
  readonly #reader: Interface;
  readonly #lines: AsyncIterator<string>;
  #lastReply: Promise<unknown> = Promise.resolve();
  #isEnding = false;

  constructor(socket: Duplex) {
    this.#socket = socket;
    this.#reader = createInterface({ input: socket });
    this.#lines = this.#reader[Symbol.asyncIterator]();
    // The reader handles no error that follows the end of the replies.
    socket.on('error', () => {});
  }

  /** Resolves to the reply, whose `cmd` is `replyKind`. */
  async request(request: string, replyKind: string): Promise<Reply> {
    if (this.#isEnding) throw new Error('this process leaves');
    const reply = this.#request(request, replyKind);
    this.#lastReply = reply.catch(() => {});
    return reply;
  }

  /**
   * Waits a moment for the reply to the last request, because mpiexec kills all ranks if it cannot deliver a reply. Then
   * sends a final request, and closes the connection even if that fails or gets no reply.
   */
  async end(request: string, replyKind: string): Promise<void> {
    this.#isEnding = true;
    await waitAtMost(LATE_REPLY_MS, this.#lastReply);
    await waitAtMost(MAX_REPLY_MS, this.#request(request, replyKind));
    this.close();
  }

  /** Sends without waiting for a reply. In one write: some launchers read one command at a time. */
  send(request: string): void {
    this.#socket.write(`${request}\n`);
  }

  /** An open connection would keep this process alive. */
  close(): void {
    this.#reader.close();
    this.#socket.destroy();
  }

  async #request(request: string, replyKind: string): Promise<Reply> {
    this.send(request);
    const line = await this.#nextLine();
    const fields = line.matchAll(/([^ =]+)=([^ ]*)/g);
    const reply = new Map(Array.from(fields, ([, key = '', value = '']) => [key, value]));
    if (reply.get('cmd') === replyKind) return reply;
    this.close();
    throw connectionError(`unexpected reply from the launcher: ${display(line.slice(0, 100))}`);
  }

  async #nextLine(): Promise<string> {
    const next = await this.#lines.next().catch((cause: Error) => {
      throw connectionError(`the connection to the launcher failed: ${cause.message}`, { cause });
    });
    if (next.done) throw connectionError('the launcher closed the connection');
    return next.value;
  }
}

/** Resolves when the promise has settled, or after the timeout. */
async function waitAtMost(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  const timeout = setTimeout(milliseconds, undefined, { ref: false });
  await Promise.race([promise.catch(() => {}), timeout]);
}

/** Some launchers leave out `rc` on success. */
function checkReply(reply: Reply, request: string): void {
  const code = reply.get('rc') ?? '0';
  if (code !== '0') throw connectionError(`the launcher returned ${display(code)} for ${request}`);
}

function connectionError(message: string, options?: ErrorOptions): GobonnieError {
  return new GobonnieError('communication-failed', message, "check the launcher's messages", options);
}

function computeDigest(data: string): string {
  return createHash('sha256').update(data).digest('base64url');
}
