import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { GobonnieError } from '../../errors.js';
import { display } from '../../text/escape.js';

/** The fields of a reply such as `cmd=get_result rc=0 value=x`. */
export type Reply = ReadonlyMap<string, string>;

interface PendingRequest {
  readonly replyKind: string;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/** Time in which a launcher forwards a signal to all ranks. */
const LATE_REPLY_MS = 1000;
/** How long a launcher may take to reply to the last request. */
const MAX_REPLY_MS = 5000;

/** Sends PMI-1 requests, one at a time, and receives their replies. An unexpected line ends the connection. */
export class PmiConnection {
  readonly #socket: Duplex;
  /** More than one only if the last request does not wait for the reply to a barrier. */
  readonly #pending: PendingRequest[] = [];
  #lastReply: Promise<Reply | null> = Promise.resolve(null);
  #rest = '';
  #failure: GobonnieError | null = null;
  #isEnding = false;

  constructor(socket: Duplex) {
    this.#socket = socket;
    socket.setEncoding?.('utf8');
    socket.on('data', (text: string | Buffer) => this.#receive(String(text)));
    socket.on('error', (error) =>
      this.#fail(`the connection to the launcher failed: ${error.message}`, error),
    );
    socket.on('close', () => this.#fail('the launcher closed the connection'));
  }

  /** Resolves to the reply, whose `cmd` is `replyKind`. */
  async request(request: string, replyKind: string): Promise<Reply> {
    if (this.#isEnding) throw new Error('this process leaves');
    return this.#request(request, replyKind);
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
    this.#fail('the connection to the launcher is closed');
    this.#socket.destroy();
  }

  #request(request: string, replyKind: string): Promise<Reply> {
    const reply = new Promise<Reply>((resolve, reject) => {
      if (this.#failure) throw this.#failure;
      this.#pending.push({ replyKind, resolve, reject });
      this.send(request);
    });
    this.#lastReply = reply.catch(() => null);
    return reply;
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#receiveLine(line);
  }

  #receiveLine(line: string): void {
    const fields = line.matchAll(/([^ =]+)=([^ ]*)/g);
    const reply = new Map(Array.from(fields, ([, key = '', value = '']) => [key, value]));
    const index = this.#pending.findIndex(({ replyKind }) => replyKind === reply.get('cmd'));
    if (index === -1) this.#fail(`unexpected reply from the launcher: ${display(line.slice(0, 100))}`);
    else for (const { resolve } of this.#pending.splice(index, 1)) resolve(reply);
  }

  #fail(message: string, cause?: Error): void {
    this.#failure ??= new GobonnieError('communication-failed', message, "check the launcher's messages", {
      cause,
    });
    for (const { reject } of this.#pending.splice(0)) reject(this.#failure);
  }
}

/** Resolves when the promise has settled, or after the timeout. */
async function waitAtMost(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  const timeout = setTimeout(milliseconds, undefined, { ref: false });
  await Promise.race([promise.catch(() => {}), timeout]);
}
