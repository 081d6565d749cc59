import type { Duplex } from 'node:stream';
import { GobonnieError } from '../../errors.js';
import { display } from '../../text/escape.js';

/** Longer lines are none of PMI's. */
const MAX_LINE_LENGTH = 65_536;

/** `cmd=get_result rc=0 value=x` as its fields. */
export type Reply = ReadonlyMap<string, string>;

interface PendingRequest {
  readonly replyKind: string;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/** PMI-1's lines: a request and its answer, one after the other. Anything else ends the connection. */
export class PmiConnection {
  readonly #socket: Duplex;
  #pending: PendingRequest | null = null;
  /** The answer to what was given up, which may still come. */
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

  /** Resolves to the fields of the reply, which is one of the kind `answer`; rejects with the reason of the signal. */
  async request(request: string, replyKind: string, signal?: AbortSignal): Promise<Reply> {
    if (this.#isEnding) throw leavingError();
    return this.#request(request, replyKind, signal);
  }

  async #request(request: string, replyKind: string, signal?: AbortSignal): Promise<Reply> {
    if (this.#failure) throw this.#failure;
    if (this.#pending) throw new Error('PMI takes one request at a time');
    const { promise, ...pending } = { replyKind, ...withResolvers() };
    this.#pending = pending;
    // By then something else may be asked.
    const cancel = () => this.#pending === pending && this.cancel(signal?.reason);
    signal?.addEventListener('abort', cancel);
    this.send(request);
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** What needs no reply, or ends all. In one write: some launchers read one command at a time. */
  send(request: string): void {
    this.#socket.write(`${request}\n`);
  }

  /**
   * Gives up what is asked and takes no more questions but this last one, once what was given up has been answered after
   * all, or after a while: mpiexec ends all if it cannot deliver an answer. Even if it fails, or nobody answers, it ends.
   */
  async end(request: string, replyKind: string, lateMs: number, deadline: AbortSignal): Promise<void> {
    this.#isEnding = true;
    this.cancel(leavingError());
    await this.#waitForLateReply(lateMs);
    await this.#request(request, replyKind, deadline).catch(() => {});
    this.close();
  }

  /** Gives up what is asked; another question may follow. */
  cancel(error: Error): void {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = null;
    this.#lateReplyKind = pending.replyKind;
    pending.reject(error);
  }

  /** Resolves when what was given up has been answered after all, or after a while. */
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
    if (this.#rest.length > MAX_LINE_LENGTH) this.#fail('the launcher sent an overlong line');
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
    } else
      this.#fail(`the launcher sent ${display(line.slice(0, 100))}, which is no answer to what was asked`);
  }

  #fail(message: string, cause?: Error): void {
    this.#failure ??= new GobonnieError(
      'communication-failed',
      message,
      'look at the messages of the launcher',
      {
        cause,
      },
    );
    this.cancel(this.#failure);
    this.#onLateReply();
  }
}

function leavingError(): Error {
  return new Error('this process leaves');
}

/** Promise.withResolvers needs Node 22. */
function withResolvers() {
  let [resolve, reject]: [PendingRequest['resolve'], PendingRequest['reject']] = [() => {}, () => {}];
  const promise = new Promise<Reply>((onReply, onError) => {
    [resolve, reject] = [onReply, onError];
  });
  return { promise, resolve, reject };
}
