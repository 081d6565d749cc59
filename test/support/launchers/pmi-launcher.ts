import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Properties in which launchers differ. */
export interface Dialect {
  /** Maximum length of a value; longer values are truncated. */
  readonly valueLength: number;
  /** Maximum length of a line; a longer line is dropped, but reported as successful. */
  readonly lineLength: number;
  /** Text appended to each successful reply. */
  readonly success: string;
  readonly missing: string;
}

export const DIALECTS = {
  hydra: {
    valueLength: 1023,
    lineLength: 65_536,
    success: '',
    missing: 'rc=-1 msg=key_not_found value=unknown',
  },
  slurm: { valueLength: 1023, lineLength: 1024, success: ' rc=0', missing: 'rc=1' },
} satisfies Readonly<Record<string, Dialect>>;

/** The launcher's storage of the values that ranks publish. */
export interface KeyValueStore {
  get(key: string): string | undefined;
  set(key: string, value: string): unknown;
}

/** Returns another reply to a request: no reply if it is empty, the usual reply if it is null. */
export type ReplyOverride = (request: string, socket: Socket) => string | null;

export interface PmiLauncher {
  /** Length of the longest received line. */
  longestLine(): number;
  close(): void;
}

/** Starts a PMI-1 launcher, with its limits, for `size` ranks that connect to `socketPath`. */
export async function startPmiLauncher(
  socketPath: string,
  size: number,
  dialect: Dialect,
  store: KeyValueStore,
  overrideReply: ReplyOverride = () => null,
): Promise<PmiLauncher> {
  const pending = new Map<string, string>();
  let longestLine = 0;
  let atBarrier: Socket[] = [];
  const reply = (socket: Socket, text: string) => socket.write(`${text}\n`);
  const handle = (socket: Socket, line: string) => {
    longestLine = Math.max(longestLine, line.length + 1);
    const override = overrideReply(line, socket);
    if (override !== null) return void (override === '' || reply(socket, override));
    const fields = new Map(line.split(' ').map((field) => field.split(/=(.*)/s, 2) as [string, string]));
    const cmd = fields.get('cmd') ?? '';
    const key = fields.get('key') ?? '';
    if (cmd === 'put') {
      if (line.length + 1 <= dialect.lineLength)
        pending.set(key, (fields.get('value') ?? '').slice(0, dialect.valueLength));
      return void reply(socket, `cmd=put_result rc=0${dialect.success ? '' : ' msg=success'}`);
    }
    if (cmd === 'get') {
      const value = store.get(key);
      const text =
        value === undefined ? dialect.missing : `rc=0${dialect.success ? '' : ' msg=success'} value=${value}`;
      return void reply(socket, `cmd=get_result ${text}`);
    }
    if (cmd === 'barrier_in') {
      atBarrier.push(socket);
      if (atBarrier.length < size) return;
      for (const [name, value] of pending) store.set(name, value);
      pending.clear();
      const waiting = atBarrier;
      atBarrier = [];
      for (const waitingSocket of waiting) reply(waitingSocket, `cmd=barrier_out${dialect.success}`);
      return;
    }
    const replies: Readonly<Record<string, string>> = {
      init: 'cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0',
      get_maxes: `cmd=maxes${dialect.success} kvsname_max=256 keylen_max=64 vallen_max=${dialect.valueLength + 1}`,
      get_my_kvsname: `cmd=my_kvsname${dialect.success} kvsname=kvs_1_0_7_host`,
      finalize: `cmd=finalize_ack${dialect.success}`,
    };
    if (replies[cmd] !== undefined) reply(socket, replies[cmd]);
    if (cmd === 'finalize') socket.end();
  };
  const server = createServer((socket) => {
    socket.setEncoding('utf8');
    // Every read returns exactly one command.
    socket.on('data', (text: string) => handle(socket, text.slice(0, text.indexOf('\n'))));
    socket.on('error', () => {});
  });
  server.listen(socketPath);
  await once(server, 'listening');
  return { longestLine: () => longestLine, close: () => server.close() };
}

/** Connects one after another, because the kernel rejects connections if too many wait for accept. */
export async function connectAll(socketPath: string, count: number): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const socket = connect(socketPath);
    await once(socket, 'connect');
    sockets.push(socket);
  }
  return sockets;
}
