import type { Duplex } from 'node:stream';
import { GobonnieError } from '../../errors.js';
import { display } from '../../text/escape.js';

/** The fields of a reply such as `cmd=get_result rc=0 value=x`. */
export type Reply = ReadonlyMap<string, string>;

interface PendingRequest {
  readonly replyKind: string;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/** Sends PMI-1 requests, one at a time, and receives their replies. An unexpected line ends the connection. */
export class PmiConnection {
  readonly #socket: Duplex;
  #pending: PendingRequest | null = null;
  /** Kind of the reply to a canceled request, which may still arrive. */
  #lateReplyKind: string | null = null;
  #onLateReply = () => {};
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

  /** Resolves to the reply, whose `cmd` is `replyKind`. Rejects with the signal's reason. */
  async request(request: string, replyKind: string, signal?: AbortSignal): Promise<Reply> {
    if (this.#isEnding) throw new Error('this process leaves');
    return this.#request(request, replyKind, signal);
  }

  async #request(request: string, replyKind: string, signal?: AbortSignal): Promise<Reply> {
    if (this.#failure) throw this.#failure;
    if (this.#pending) throw new Error('PMI takes one request at a time');
    let cancel = () => {};
    const reply = new Promise<Reply>((resolve, reject) => {
      const pending = { replyKind, resolve, reject };
      this.#pending = pending;
      // By then another request may be pending.
      cancel = () => this.#pending === pending && this.cancel(signal?.reason);
    });
    signal?.addEventListener('abort', cancel);
    this.send(request);
    return reply.finally(() => signal?.removeEventListener('abort', cancel));
  }

  /** Sends without waiting for a reply. In one write: some launchers read one command at a time. */
  send(request: string): void {
    this.#socket.write(`${request}\n`);
  }

  /**
   * Cancels the pending request, waits up to `lateMs` for its reply, and sends this last request: mpiexec kills all
   * ranks if it cannot deliver a reply. Closes the connection even if the request fails or gets no reply.
   */
  async end(request: string, replyKind: string, lateMs: number, deadline: AbortSignal): Promise<void> {
    this.#isEnding = true;
    this.cancel(new Error('this process leaves'));
    await this.#waitForLateReply(lateMs);
    await this.#request(request, replyKind, deadline).catch(() => {});
    this.close();
  }

  /** Rejects the pending request. Another request may follow. */
  cancel(error: Error): void {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = null;
    this.#lateReplyKind = pending.replyKind;
    pending.reject(error);
  }

  /** Resolves when the reply to a canceled request has arrived, or after the timeout. */
  #waitForLateReply(milliseconds: number): Promise<void> {
    if (this.#lateReplyKind === null || this.#failure) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#onLateReply = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** An open connection would keep this process alive. */
  close(): void {
    this.#fail('the connection to the launcher is closed');
    this.#socket.destroy();
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#receiveLine(line);
  }

  #receiveLine(line: string): void {
    const reply = new Map(
      line.split(' ').map((field) => {
        const at = field.indexOf('=');
        return at === -1 ? ([field, ''] as const) : ([field.slice(0, at), field.slice(at + 1)] as const);
      }),
    );
    const pending = this.#pending;
    if (pending && reply.get('cmd') === pending.replyKind) {
      this.#pending = null;
      pending.resolve(reply);
    } else if (reply.get('cmd') === this.#lateReplyKind) {
      this.#lateReplyKind = null;
      this.#onLateReply();
    } else this.#fail(`unexpected reply from the launcher: ${display(line.slice(0, 100))}`);
  }

  #fail(message: string, cause?: Error): void {
    this.#failure ??= new GobonnieError('communication-failed', message, "check the launcher's messages", {
      cause,
    });
    this.cancel(this.#failure);
    this.#onLateReply();
  }
}
