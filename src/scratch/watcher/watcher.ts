import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import os from 'node:os';
import type { Warning } from '../../report/schema/report.js';
import { createWarning } from '../../report/warning-catalogue.js';
import { systemReason } from '../../system-error.js';
import type { Owner } from '../owner.js';

/** The built program, whether this file runs from src or from dist. */
const WATCHER_PROGRAM = createRequire(import.meta.url).resolve('#watcher');

const NICENESS = 5;

/** The only variables passed on: a Node may need them to find its libraries, and to start on an old Windows. */
const PASSED_VARIABLES = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'NODE_SKIP_PLATFORM_CHECK'];

/** A scratch directory that is about to be made, was made, or is about to be removed. */
export interface WatchedDirectory {
  readonly directory: string;
  readonly owner: Owner;
  /** How many directories above it are being made or removed; null while its marker lists them. */
  readonly newParents: number | null;
}

/** A message to the watcher, one line of JSON. */
export type WatcherMessage =
  | WatchedDirectory
  /** A temporary file of --out; sent before it is first made. */
  | { readonly temporary: string }
  /** Everything was removed, or gobonnie reported the remaining files. */
  | { readonly done: true };

/**
 * A process that removes what this one leaves if it is killed. It waits at the other end of a pipe, which the kernel
 * closes when all threads of this process have ended, for whatever reason.
 */
export class Watcher {
  #child: ChildProcess | null = null;
  #isDismissed = false;
  /** Why the watcher is gone. */
  #loss: string | null = null;
  #lossListener: (warning: Warning) => void = () => {};

  /** Watches from the start of `act` to its end. */
  static async watch<Result>(act: (watcher: Watcher) => Promise<Result>): Promise<Result> {
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
      this.#reportLoss(`could not start the clean-up process (${systemReason(error)})`);
    try {
      this.#child = spawnWatcher();
    } catch (error) {
      // Node throws if there is too little memory, or if seccomp or its own permission model forbids it.
      onError(error);
      return;
    }
    this.#child.on('error', onError);
    this.#child.on('exit', (code, signal) =>
      this.#reportLoss(`the clean-up process ended (${signal ?? `exit code ${code}`})`),
    );
  }

  /** Called when the watcher has ended too early, at once if that was before. The run continues without it. */
  set onLoss(listener: (warning: Warning) => void) {
    this.#lossListener = listener;
    if (this.#loss !== null) listener(createWarning('no-cleanup-process', { loss: this.#loss }));
  }

  /** Call before the file or directory is made. A later order for it replaces the earlier order. */
  register(message: Exclude<WatcherMessage, { done: true }>): void {
    this.#send(message);
  }

  #dismiss(): void {
    this.#isDismissed = true;
    this.#send({ done: true });
    this.#child?.stdin?.end();
  }

  #reportLoss(loss: string): void {
    if (this.#isDismissed) return;
    this.#loss = loss;
    this.#lossListener(createWarning('no-cleanup-process', { loss }));
  }

  #send(message: WatcherMessage): void {
    this.#child?.stdin?.write(`${JSON.stringify(message)}\n`);
  }
}

function spawnWatcher(): ChildProcess {
  // Detached, it is not killed with the process group, and Ctrl-C does not reach it.
  const child = spawn(process.execPath, [WATCHER_PROGRAM], {
    cwd: '/',
    env: Object.fromEntries(PASSED_VARIABLES.map((name) => [name, process.env[name]])),
    detached: true,
    // It has a console of its own on Windows.
    windowsHide: true,
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
