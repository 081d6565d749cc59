import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import os from 'node:os';
import { systemReason } from '../system-error.js';
import type { Owner } from './owner.js';

/** The built program of the other process, from src as from dist. */
const PROGRAM = createRequire(import.meta.url).resolve('#watcher');

/** Niceness. */
const MODEST = 5;

/** A node that is not the system's own may find its libraries by them alone. No more of the user's outlives this process. */
const LIBRARY_PATHS = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/** A scratch directory that is about to be made. */
export interface Expected {
  readonly directory: string;
  /** How many of the directories above it will be made with it. */
  readonly madeParents: number;
  /** None of them is older. */
  readonly bornAfterMs: number;
  readonly owner: Owner;
}

/** What the watcher is told, a line of JSON each. */
export type Order =
  | Expected
  /** A file that is here for a moment, again and again, about to be made for the first time. */
  | { readonly temporary: string }
  /** All of it is gone, or was said to be left. */
  | { readonly done: true };

/**
 * A process that outlives this one, be it killed, to remove what it has left. It waits at the other end of a pipe that
 * the kernel closes when this process is gone with all its threads, whatever ends it.
 */
export class Watcher {
  #child: ChildProcess | null = null;
  #isDismissed = false;
  /** Why there is none any more. */
  #loss: string | null = null;
  #tellLoss: (loss: string) => void = () => {};

  /** Watched over from the start of `act` to its end. */
  static async during<Result>(act: (watcher: Watcher) => Promise<Result>): Promise<Result> {
    const watcher = new Watcher();
    watcher.#start();
    try {
      return await act(watcher);
    } finally {
      watcher.#dismiss();
    }
  }

  #start(): void {
    const onError = (error: Error) =>
      this.#lose(`no process could be started to watch over this one (${systemReason(error)})`);
    try {
      this.#child = spawnWatcher();
    } catch (error) {
      // What Node does not tell by an event: too little memory, a filter of system calls, its own permissions.
      onError(error as Error);
      return;
    }
    this.#child.on('error', onError);
    this.#child.on('exit', (code, signal) =>
      this.#lose(`the process that watched over this one has ended (${signal ?? `exit code ${code}`})`),
    );
  }

  /** Is told, at once or later, of a watcher that has ended before its time: by a limit, say. The run goes on without. */
  set onLoss(tell: (loss: string) => void) {
    this.#tellLoss = tell;
    if (this.#loss !== null) tell(this.#loss);
  }

  expect(order: Exclude<Order, { done: true }>): void {
    this.#tell(order);
  }

  /** There is nothing left to be removed. */
  #dismiss(): void {
    this.#isDismissed = true;
    this.#tell({ done: true });
    this.#child?.stdin?.end();
  }

  #lose(loss: string): void {
    if (this.#isDismissed) return;
    this.#loss = loss;
    this.#tellLoss(loss);
  }

  #tell(order: Order): void {
    this.#child?.stdin?.write(`${JSON.stringify(order)}\n`);
  }
}

function spawnWatcher(): ChildProcess {
  // Detached, it is not killed with this process's group, and no terminal's keys reach it.
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: '/',
    env: Object.fromEntries(LIBRARY_PATHS.map((name) => [name, process.env[name]])),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // What is written to one that is gone: the kernel says so, and there is nothing to be done about it.
  child.stdin?.on('error', () => {});
  child.unref();
  if (child.pid !== undefined) makeModest(child.pid);
  return child;
}

/** Its start must not take from what is measured, and on a busy machine it still has to come to its work. */
function makeModest(pid: number): void {
  try {
    os.setPriority(pid, MODEST);
  } catch {
    // It has ended already, or may not be asked for less.
  }
}
