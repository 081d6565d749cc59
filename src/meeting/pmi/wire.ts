import type { Duplex } from 'node:stream';
import { GobonnieError } from '../../errors.js';
import { shown } from '../../text/escape.js';

/** Longer lines are none of PMI's. */
const LONGEST_LINE = 65_536;

/** `cmd=get_result rc=0 value=x` as its fields. */
export type Reply = ReadonlyMap<string, string>;

interface Asked {
  readonly answer: string;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/** PMI-1's lines: a request and its answer, one after the other. Anything else ends the connection. */
export class Wire {
  readonly #socket: Duplex;
  #asked: Asked | null = null;
  /** The answer to what was given up, which may still come. */
  #late: string | null = null;
  #onLate = () => {};
  #rest = '';
  #failure: GobonnieError | null = null;
  #isEnding = false;

  constructor(socket: Duplex) {
    this.#socket = socket;
    socket.setEncoding?.('utf8');
    socket.on('data', (text: string | Buffer) => this.#take(String(text)));
    socket.on('error', (error) =>
      this.#fail(`the connection to the launcher failed: ${error.message}`, error),
    );
    socket.on('close', () => this.#fail('the launcher closed the connection'));
  }

  /** Resolves to the fields of the reply, which is one of the kind `answer`; rejects with the reason of the signal. */
  async ask(request: string, answer: string, signal?: AbortSignal): Promise<Reply> {
    if (this.#isEnding) throw leaving();
    return this.#ask(request, answer, signal);
  }

  async #ask(request: string, answer: string, signal?: AbortSignal): Promise<Reply> {
    if (this.#failure) throw this.#failure;
    if (this.#asked) throw new Error('PMI takes one request at a time');
    const { promise, ...asked } = { answer, ...withResolvers() };
    this.#asked = asked;
    // By then something else may be asked.
    const giveUp = () => this.#asked === asked && this.giveUp(signal?.reason);
    signal?.addEventListener('abort', giveUp);
    this.tell(request);
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** What needs no reply, or ends all. In one write: some launchers read one command at a time. */
  tell(request: string): void {
    this.#socket.write(`${request}\n`);
  }

  /**
   * Gives up what is asked and takes no more questions but this last one, once what was given up has been answered after
   * all, or after a while: mpiexec ends all if it cannot deliver an answer. Even if it fails, or nobody answers, it ends.
   */
  async end(request: string, answer: string, lateMs: number, patience: AbortSignal): Promise<void> {
    this.#isEnding = true;
    this.giveUp(leaving());
    await this.#settled(lateMs);
    await this.#ask(request, answer, patience).catch(() => {});
    this.close();
  }

  /** Gives up what is asked; another question may follow. */
  giveUp(error: Error): void {
    const asked = this.#asked;
    if (!asked) return;
    this.#asked = null;
    this.#late = asked.answer;
    asked.reject(error);
  }

  /** Resolves when what was given up has been answered after all, or after a while. */
  #settled(milliseconds: number): Promise<void> {
    if (this.#late === null || this.#failure) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#onLate = () => {
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

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#takeLine(line);
    if (this.#rest.length > LONGEST_LINE) this.#fail('the launcher sent a line without an end');
  }

  #takeLine(line: string): void {
    const reply = new Map(
      line.split(' ').map((field) => {
        const at = field.indexOf('=');
        return at === -1 ? ([field, ''] as const) : ([field.slice(0, at), field.slice(at + 1)] as const);
      }),
    );
    const asked = this.#asked;
    if (asked && reply.get('cmd') === asked.answer) {
      this.#asked = null;
      asked.resolve(reply);
    } else if (reply.get('cmd') === this.#late) {
      this.#late = null;
      this.#onLate();
    } else this.#fail(`the launcher sent ${shown(line.slice(0, 100))}, which is no answer to what was asked`);
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
    this.giveUp(this.#failure);
    this.#onLate();
  }
}

function leaving(): Error {
  return new Error('this process leaves');
}

/** Promise.withResolvers needs Node 22. */
function withResolvers() {
  let [resolve, reject]: [Asked['resolve'], Asked['reject']] = [() => {}, () => {}];
  const promise = new Promise<Reply>((onReply, onError) => {
    [resolve, reject] = [onReply, onError];
  });
  return { promise, resolve, reject };
}
