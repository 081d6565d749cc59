import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';
import { hasCode } from '../system-error.js';
import { display } from '../text/escape.js';
import { statFields } from '../text/process-stat.js';

/** A process, distinguished from processes of other machines, boots and containers. */
export type Owner = Readonly<ReturnType<typeof currentOwner>>;

/** PID namespace of the machine itself, a constant of the kernel. */
const INITIAL_PID_NAMESPACE = 'pid:[4026531836]';
/** Index in /proc/PID/stat, counted from the state. */
const START_TIME_FIELD = 19;
/** A zombie is dead: its parent just hasn't reaped it. */
const DEAD_STATES = ['Z', 'X', 'x'];

export function isAlive({ pid, startTime }: Pick<Owner, 'pid' | 'startTime'>): boolean {
  const foundStartTime = startTime === '' || !isOwnProcMount() ? undefined : readStartTime(pid);
  // With hidepid, /proc does not show every process.
  return foundStartTime === undefined ? processExists(pid) : foundStartTime === startTime;
}

/** Returns this process. Texts are empty if unknown. */
export function currentOwner() {
  const machineId = readOrEmpty(() => readFileSync('/etc/machine-id', 'latin1'));
  return {
    pid: process.pid,
    /** In the kernel's clock ticks: distinguishes it from a later process with the same ID. */
    startTime: readStartTime('self') ?? '',
    host: os.hostname(),
    /** A hash of the machine's ID, which is confidential. */
    machine: machineId && createHash('sha256').update(machineId).digest('hex'),
    boot: readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1')),
    /** The namespace in which `pid` is valid. */
    pidNamespace: readOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/**
 * Returns why an owner may be alive; null if it is certainly dead, or if its host is `deadHost`, which the user declares
 * dead. The declaration does not apply to processes that this machine shows.
 */
export function whyPossiblyAlive(owner: Owner, deadHost?: string): string | null {
  const current = currentOwner();
  const isDeclaredDead = owner.host === deadHost;
  // Each container has its own host name, and a restarted container gets a new one.
  const isSameBoot = owner.boot === current.boot && (owner.boot !== '' || owner.host === current.host);
  if (!isSameBoot) return isDeclaredDead ? null : whyPossiblyAliveElsewhere(owner, current);
  if (owner.pidNamespace === current.pidNamespace)
    return isAlive(owner) ? `process ${owner.pid} is using it` : null;
  if (current.pidNamespace === INITIAL_PID_NAMESPACE)
    return isGoneFromMachine(owner) ? null : 'a process in a container may be using it';
  return isDeclaredDead
    ? null
    : `it may be in use in another container; run gobonnie clean there, or on the machine itself, ${declarationHint(owner)}`;
}

/** Returns why an owner of another boot may be alive. Null if this machine was restarted since. */
function whyPossiblyAliveElsewhere(owner: Owner, current: Owner): string | null {
  if (owner.host !== current.host)
    return `it may be in use on ${display(owner.host)}; run gobonnie clean there, ${declarationHint(owner)}`;
  if (owner.boot === '' || current.boot === '')
    return 'it may be in use; gobonnie cannot check that without /proc';
  // Machines that share storage may have the same name.
  if (owner.machine !== '' && owner.machine === current.machine) return null;
  return `it may be in use on another machine called ${display(owner.host)}; run gobonnie clean there, ${declarationHint(owner)}`;
}

function declarationHint({ host }: Owner): string {
  return `or gobonnie clean --host ${display(host)} if that host is gone`;
}

/** True if no process of this machine is the owner. Call outside of all containers, where all processes are visible. */
function isGoneFromMachine({ pid, startTime }: Owner): boolean {
  try {
    if (startTime === '') return false;
    const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return ids.every((id) => readInnermostPid(id) !== pid || readStartTime(Number(id)) !== startTime);
  } catch {
    return false;
  }
}

/** Returns a process's ID in its own container; null if it has ended. Throws if this user may not read it. */
function readInnermostPid(pid: string): number | null {
  try {
    const [, ids = ''] = /^NSpid:(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(ids.trim().split(/\s+/).at(-1));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return null;
    throw error;
  }
}

/** Parses /proc/PID/stat: `12830 (sleep) S 12823 12791 …`. Returns null if the process is dead. */
export function parseStartTime(stat: string): string | null {
  const [state = '', ...fields] = statFields(stat);
  return DEAD_STATES.includes(state) ? null : (fields[START_TIME_FIELD - 1] ?? null);
}

/** False in a container that sees the machine's /proc, where its process IDs belong to other processes. */
function isOwnProcMount(): boolean {
  return readOrEmpty(() => readlinkSync('/proc/self')) === String(process.pid);
}

/** Returns null if the process is dead, undefined if its status cannot be read. */
function readStartTime(pid: number | 'self'): string | null | undefined {
  try {
    return parseStartTime(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return undefined;
  }
}

/** Queries the priority, which works on every system and sends no signal. */
function processExists(pid: number): boolean {
  try {
    os.getPriority(pid);
    return true;
  } catch (error) {
    return !hasCode((error as { info?: unknown }).info, 'ESRCH');
  }
}

function readOrEmpty(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return '';
  }
}
