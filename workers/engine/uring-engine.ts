import { DataError } from '../files/read-write.js';
import { readClockNs } from '../latency-recorder.js';
import type { Engine, Request, RequestSource } from './engine.js';
import { COMPLETION_WORDS, openRing, type Ring, SUBMISSION_WORDS, systemError } from './ring.js';

const OPCODES = { read: 22, write: 23, fsync: 3, fdatasync: 3 } as const;
const SYNC_DATA_ONLY = 1;
const EINTR = 4;
/** Errors after which io_uring_enter can succeed: EINTR, EAGAIN and EBUSY. */
const TRANSIENT_ERRORS: readonly number[] = [EINTR, 11, 16];
const TWO_TO_32 = 2 ** 32;
/**
 * An eighth of the depth is queued before a call submits it, so the device works while the next requests are prepared.
 * At least two requests are queued, because a call takes longer than preparing a request.
 */
const BATCHES = 8;
const MIN_QUEUED = 2;

/**
 * Gives the kernel many requests of one thread at once, through io_uring. The kernel reads and writes their memory until
 * they have completed. That can be after the end of a terminated thread, so no other data may take their place.
 */
export class UringEngine<Type extends Request> implements Engine<Type> {
  readonly #ring: Ring;
  readonly #memoryAddress: number;
  readonly #maxQueued: number;
  /** All requests, by slot. */
  readonly #requests: readonly Type[];
  /** A stack of the requests that are not in flight. Those from #idleCount on are not part of it. */
  readonly #idle: Type[];
  #idleCount: number;
  readonly #completed: Type[] = [];
  #failure: (Error & { positionBytes: number }) | null = null;
  #inFlight = 0;
  /** Number of requests in the queue that the kernel has not taken yet. */
  #queued = 0;
  /** Whether the page cache served the last requests: they had completed when the call that submitted them returned. */
  #isCached = false;

  /** Has as many requests in flight as there are objects, each at the index of its slot. */
  constructor(requests: readonly Type[], ioMemory: ArrayBufferLike) {
    this.#requests = requests;
    this.#idle = [...requests];
    this.#idleCount = requests.length;
    this.#ring = openRing(requests.length);
    this.#maxQueued = Math.max(MIN_QUEUED, Math.floor(requests.length / BATCHES));
    this.#memoryAddress = this.#ring.addressOf(ioMemory);
  }

  run(source: RequestSource<Type>): void {
    for (;;) {
      while (this.#idleCount > 0) {
        const request = this.#idle[this.#idleCount - 1] as Type;
        if (!source.next(request)) break;
        this.#submit(request);
        this.#idleCount -= 1;
      }
      if (this.#idleCount === this.#requests.length) return;
      const count = this.#complete();
      // One reading of the clock serves all that have completed together.
      const endNs = readClockNs();
      for (let index = 0; index < count; index++) {
        const request = this.#completed[index] as Type;
        if (source.advance(request, endNs)) this.#idle[this.#idleCount++] = request;
        else this.#submit(request);
      }
    }
  }

  close(): void {
    this.#drain();
    this.#ring.close();
  }

  #submit(request: Type): void {
    // The last requests are submitted by the call that waits.
    if (this.#queued >= (this.#isCached ? this.#requests.length : this.#maxQueued)) this.#enterAtOnce();
    request.doneBytes = 0;
    this.#inFlight += 1;
    this.#enqueue(request);
  }

  /** Waits until one or more requests have completed. Stores them and returns their number. */
  #complete(): number {
    let count = 0;
    if (this.#isCached) {
      this.#enterAtOnce();
      count = this.#collect();
    }
    while (count === 0 && !this.#failure) count = this.#wait();
    if (!this.#failure) return count;
    // Others may fail for the same reason, in any order.
    this.#drain();
    throw this.#failure;
  }

  #drain(): void {
    while (this.#inFlight > 0) this.#wait();
  }

  #wait(): number {
    this.#enter(1);
    return this.#collect();
  }

  #enqueue({ slot, call, file, positionBytes, memory, doneBytes }: Type): void {
    const { submissions, submissionCount, words, submissionTail } = this.#ring;
    const tail = words[submissionTail] ?? 0;
    const at = (tail & (submissionCount - 1)) * SUBMISSION_WORDS;
    const isTransfer = call === 'read' || call === 'write';
    const position = isTransfer ? positionBytes + doneBytes : 0;
    const address = isTransfer ? this.#memoryAddress + memory.byteOffset + doneBytes : 0;
    submissions[at] = OPCODES[call];
    submissions[at + 1] = file.fd;
    submissions[at + 2] = position;
    submissions[at + 3] = position / TWO_TO_32;
    submissions[at + 4] = address;
    submissions[at + 5] = address / TWO_TO_32;
    submissions[at + 6] = isTransfer ? memory.length - doneBytes : 0;
    submissions[at + 7] = call === 'fdatasync' ? SYNC_DATA_ONLY : 0;
    submissions[at + 8] = slot;
    words[submissionTail] = tail + 1;
    this.#queued += 1;
  }

  /** Submits the queued requests without waiting. From the page cache, one call then serves as many as possible. */
  #enterAtOnce(): void {
    this.#enter(0);
    const { words, completionHead, completionTail } = this.#ring;
    const completed = (Atomics.load(words, completionTail) - (words[completionHead] ?? 0)) | 0;
    this.#isCached = completed === this.#inFlight;
  }

  /** Submits the queued requests, and waits until `waitCount` requests have completed. */
  #enter(waitCount: number): void {
    const submitted = this.#ring.enter(this.#queued, waitCount);
    if (submitted >= 0) this.#queued -= submitted;
    else if (!TRANSIENT_ERRORS.includes(-submitted)) throw systemError(-submitted, 'io_uring_enter');
  }

  /** Takes all completions that there are. Stores the requests that need nothing more, and returns their number. */
  #collect(): number {
    const { words, completionHead, completionTail, completions, completionCount } = this.#ring;
    const tail = Atomics.load(words, completionTail);
    let head = words[completionHead] ?? 0;
    let count = 0;
    while (head !== tail) {
      const at = completions + (head & (completionCount - 1)) * COMPLETION_WORDS;
      const request = this.#requests[words[at] ?? 0];
      if (request && this.#settle(request, words[at + 2] ?? 0)) this.#completed[count++] = request;
      head = (head + 1) | 0;
    }
    // The kernel may use the places again.
    Atomics.store(words, completionHead, head);
    return count;
  }

  /** Returns true if the request has succeeded. `result`: the number of bytes moved, or -errno. */
  #settle(request: Type, result: number): boolean {
    const { call, memory, positionBytes, file } = request;
    const isTransfer = call === 'read' || call === 'write';
    if (result > 0) request.doneBytes += result;
    const isShort = isTransfer && result > 0 && request.doneBytes < memory.length;
    if (isShort || result === -EINTR) {
      this.#enqueue(request);
      return false;
    }
    this.#inFlight -= 1;
    if (result > 0 || (result === 0 && !isTransfer)) return true;
    const end = positionBytes + request.doneBytes;
    const error = result < 0 ? systemError(-result, call) : new DataError('SHORT', end);
    // The first failure in the file is reported.
    if (!this.#failure || end < this.#failure.positionBytes)
      this.#failure = Object.assign(error, { path: file.slice.file, positionBytes: end });
    return false;
  }
}
