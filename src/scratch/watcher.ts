import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import os from 'node:os';
import type { Warning } from '../report/schema/report.js';
import { warningOf } from '../report/warning-catalogue.js';
import { systemReason } from '../system-error.js';
import type { Owner } from './owner.js';

/** The built program of the other process, from src as from dist. */
const PROGRAM = createRequire(import.meta.url).resolve('#watcher');

const NICENESS = 5;

/** The only variables passed on: a Node outside the system's paths may need them to find its libraries. */
const LIBRARY_PATHS = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/** A scratch directory that is about to be made, or was made. */
export interface Expected {
  readonly directory: string;
  readonly owner: Owner;
  /** How many directories above are being made with it; null once its marker lists them. */
  readonly newParents: number | null;
}

/** What is sent to the watcher, one line of JSON each. */
export type Order =
  | Expected
  /** A file that exists briefly now and then; sent before it is first made. */
  | { readonly temporary: string }
  /** Everything has been removed, or the user was told what was not. */
  | { readonly done: true };

/**
 * A process that removes what this one leaves when it is killed. It waits at the other end of a pipe, which the kernel
 * closes when this process is gone with all its threads, whatever ended it.
 */
export class Watcher {
  #child: ChildProcess | null = null;
  #isDismissed = false;
  /** Why the watcher is gone. */
  #loss: string | null = null;
  #tellLoss: (warning: Warning) => void = () => {};

  /** Watches from the start of `act` to its end. */
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
    const onError = (error: unknown) =>
      this.#lose(`could not start the clean-up process (${systemReason(error)})`);
    try {
      this.#child = spawnWatcher();
    } catch (error) {
      // Node throws for too little memory, a filter of system calls and its own permissions.
      onError(error);
      return;
    }
    this.#child.on('error', onError);
    this.#child.on('exit', (code, signal) =>
      this.#lose(`the clean-up process has ended (${signal ?? `exit code ${code}`})`),
    );
  }

  /** Called, at once or later, when the watcher ended too early. The run goes on without it. */
  set onLoss(tell: (warning: Warning) => void) {
    this.#tellLoss = tell;
    if (this.#loss !== null) tell(warningOf('unwatched', { loss: this.#loss }));
  }

  /** To be called before it is made. A later order for a directory replaces the one before. */
  expect(order: Exclude<Order, { done: true }>): void {
    this.#tell(order);
  }

  #dismiss(): void {
    this.#isDismissed = true;
    this.#tell({ done: true });
    this.#child?.stdin?.end();
  }

  #lose(loss: string): void {
    if (this.#isDismissed) return;
    this.#loss = loss;
    this.#tellLoss(warningOf('unwatched', { loss }));
  }

  #tell(order: Order): void {
    this.#child?.stdin?.write(`${JSON.stringify(order)}\n`);
  }
}

function spawnWatcher(): ChildProcess {
  // Detached, it is not killed with the process group, and Ctrl-C does not reach it.
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: '/',
    env: Object.fromEntries(LIBRARY_PATHS.map((name) => [name, process.env[name]])),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // If it has ended, the exit event reports that.
  child.stdin?.on('error', () => {});
  child.unref();
  if (child.pid !== undefined) lowerPriority(child.pid);
  return child;
}

/** Its start must not slow down the measurement, but it still has to run on a busy machine. */
function lowerPriority(pid: number): void {
  try {
    os.setPriority(pid, NICENESS);
  } catch {
    // It has ended already, or this is not allowed.
  }
}
