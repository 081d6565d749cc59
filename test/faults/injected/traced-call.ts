/** A system call as strace prints it with -ttt and -y. */
export interface TracedCall {
  /** Null if only one thread was traced. */
  readonly tid: string | null;
  readonly atSeconds: number;
  readonly name: string;
  /** Arguments and result. */
  readonly text: string;
  readonly isInjected: boolean;
}

const STARTED = /^(?:(\d+) +)?(\d+\.\d+) (\w+)\((.*)$/;
/** The end of a call that another thread's call interrupted in the log. */
const RESUMED = /^(\d+) +\d+\.\d+ <\.\.\. \w+ resumed>(.*)$/;

/** Returns the calls of a log in the order in which they started. */
export function parseCalls(log: string): readonly TracedCall[] {
  const calls: TracedCall[] = [];
  const latest = new Map<string, number>();
  for (const line of log.split('\n')) {
    const [, tid = null, atSeconds, name, text = ''] = STARTED.exec(line) ?? [];
    if (name !== undefined) {
      calls.push({ tid, atSeconds: Number(atSeconds), name, text, isInjected: isInjected(text) });
      if (tid !== null) latest.set(tid, calls.length - 1);
      continue;
    }
    const [, resumedTid = '', rest = ''] = RESUMED.exec(line) ?? [];
    const index = latest.get(resumedTid) ?? -1;
    const call = calls[index];
    if (call) calls[index] = { ...call, isInjected: isInjected(rest) };
  }
  return calls;
}

function isInjected(text: string): boolean {
  return text.includes('(INJECTED)');
}

/** Returns the first path below `root` among the call's arguments and its descriptors' files, or null. */
export function findPathBelow(root: string, { text }: TracedCall): string | null {
  const from = text.indexOf(`${root}/`);
  return from === -1 ? null : (/^[^"<>]+/.exec(text.slice(from))?.[0] ?? null);
}

/** Returns a path relative to `root`, with a star for the part that differs in each run. */
export function normalizePath(root: string, path: string): string {
  return path.slice(root.length + 1).replace(/gobonnie-[^/]*/, 'gobonnie-*');
}
