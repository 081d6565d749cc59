import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { GobonnieError } from '../../errors.js';
import { shown } from '../../text/escape.js';
import type { Exchange } from '../exchange.js';
import { type Reply, Wire } from './wire.js';

/** Slurm loses a put in a longer line, and says that it has worked. With the end of the line. */
const LONGEST_REQUEST = 1024;
const LONGEST_KEY = 63;
const LEAST_VALUE = 64;
const MOST_RANKS = 65_536;
/** By when all ranks have had a signal that the launcher passes on. */
const LATE_MS = 1000;
/** How long a launcher may take to answer the end. */
const MOST_PATIENCE_MS = 5000;
/** No text of a job is nearly as long. */
const MOST_BYTES = 64 * 2 ** 20;

interface Room {
  readonly rank: number;
  readonly size: number;
  readonly kvsName: string;
  /** How long a value may be. */
  readonly valueLength: number;
}

/**
 * A meeting that a launcher holds by PMI-1: a store of short texts, and a barrier. Each text travels compressed, in as
 * many values as it takes, and its length and digest in another: a launcher may cut or lose a value without a word.
 */
export class PmiExchange implements Exchange {
  readonly id = null;
  readonly showsAtOnce = false;
  readonly #wire: Wire;
  readonly #room: Room;
  #end: Promise<void> | null = null;

  private constructor(wire: Wire, room: Room) {
    this.#wire = wire;
    this.#room = room;
  }

  get rank(): number {
    return this.#room.rank;
  }

  get size(): number {
    return this.#room.size;
  }

  static async join(socket: Duplex, place: Pick<Room, 'rank' | 'size'>): Promise<PmiExchange> {
    const wire = new Wire(socket);
    try {
      refuseUnless(isPlace(place), `${place.rank} of ${place.size}`);
      succeeded(await wire.ask('cmd=init pmi_version=1 pmi_subversion=1', 'response_to_init'), 'init');
      const maxes = await wire.ask('cmd=get_maxes', 'maxes');
      const valueLength = numberIn(maxes, 'vallen_max') - 1;
      refuseUnless(numberIn(maxes, 'keylen_max') > LONGEST_KEY, 'keylen_max');
      refuseUnless(valueLength >= LEAST_VALUE, 'vallen_max');
      const kvsName = (await wire.ask('cmd=get_my_kvsname', 'my_kvsname')).get('kvsname') ?? '';
      refuseUnless(/^[\w.:@-]{1,256}$/.test(kvsName), 'kvsname');
      return new PmiExchange(wire, { ...place, kvsName, valueLength });
    } catch (error) {
      wire.close();
      throw error;
    }
  }

  async give(name: string, text: string): Promise<void> {
    const data = deflateRawSync(text).toString('base64url');
    const key = `${this.rank}.${name}`;
    const length = Math.min(
      this.#room.valueLength,
      LONGEST_REQUEST - 1 - this.#putOf(`${key}.99999`, '').length,
    );
    const count = Math.ceil(data.length / length);
    for (let part = 0; part < count; part++)
      await this.#put(`${key}.${part}`, data.slice(part * length, (part + 1) * length));
    await this.#put(key, `${count}:${data.length}:${digestOf(data)}`);
  }

  async take(rank: number, name: string): Promise<string> {
    const key = `${rank}.${name}`;
    const [, count = '', length = '', digest = ''] =
      /^(\d{1,6}):(\d{1,9}):([\w-]{43})$/.exec(await this.#get(key)) ?? [];
    if (digest === '' || Number(length) > MOST_BYTES) throw damaged(rank);
    let data = '';
    for (let part = 0; part < Number(count); part++) {
      data += await this.#get(`${key}.${part}`);
      if (data.length > Number(length)) throw damaged(rank);
    }
    if (data.length !== Number(length) || digestOf(data) !== digest) throw damaged(rank);
    return inflateRawSync(Buffer.from(data, 'base64url'), { maxOutputLength: MOST_BYTES }).toString();
  }

  async wait(_phase: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    succeeded(await this.#wire.ask('cmd=barrier_in', 'barrier_out', signal), 'barrier_in');
  }

  /** Without this a launcher takes the end of the process for a failure, and may kill the others. */
  leave(): Promise<void> {
    this.#end ??= this.#finalize();
    return this.#end;
  }

  async abort(exitCode: number): Promise<void> {
    this.#wire.tell(`cmd=abort exitcode=${exitCode}`);
    // The launcher kills this process. If not, it ends by itself.
    setTimeout(() => this.#wire.close(), MOST_PATIENCE_MS).unref();
  }

  async #finalize(): Promise<void> {
    const patience = AbortSignal.timeout(LATE_MS + MOST_PATIENCE_MS);
    await this.#wire.end('cmd=finalize', 'finalize_ack', LATE_MS, patience);
  }

  async #put(key: string, value: string): Promise<void> {
    if (key.length > LONGEST_KEY) throw new Error(`the key ${key} is too long`);
    succeeded(await this.#wire.ask(this.#putOf(key, value), 'put_result'), 'put');
  }

  #putOf(key: string, value: string): string {
    return `cmd=put kvsname=${this.#room.kvsName} key=${key} value=${value}`;
  }

  async #get(key: string): Promise<string> {
    const reply = await this.#wire.ask(`cmd=get kvsname=${this.#room.kvsName} key=${key}`, 'get_result');
    succeeded(reply, `get ${key}`);
    return reply.get('value') ?? '';
  }
}

function isPlace({ rank, size }: Pick<Room, 'rank' | 'size'>): boolean {
  return Number.isInteger(rank) && rank >= 0 && rank < size && size <= MOST_RANKS;
}

function numberIn(reply: Reply, name: string): number {
  return /^\d{1,7}$/.test(reply.get(name) ?? '') ? Number(reply.get(name)) : 0;
}

/** Some launchers leave out the code of success. */
function succeeded(reply: Reply, request: string): void {
  const code = reply.get('rc') ?? '0';
  if (code === '0') return;
  throw new GobonnieError(
    'communication-failed',
    `the launcher refused ${request} with ${shown(code)}`,
    'look at the messages of the launcher',
  );
}

function refuseUnless(isFine: boolean, what: string): void {
  if (isFine) return;
  throw new GobonnieError(
    'communication-failed',
    `the launcher gave a ${shown(what)} that cannot be`,
    'start gobonnie by mpiexec of MPICH or Intel MPI, or by srun --mpi=pmi2',
  );
}

function damaged(rank: number): GobonnieError {
  return new GobonnieError(
    'communication-failed',
    `what rank ${rank} gave did not arrive whole`,
    'run it again; if it happens again, use another launcher',
  );
}

function digestOf(data: string): string {
  return createHash('sha256').update(data).digest('base64url');
}
