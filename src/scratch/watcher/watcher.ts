import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Warning } from '../../report/schema/report.js';
import { systemReason } from '../../system-error.js';
import { createWarning } from '../../warnings/warning-catalogue.js';
import type { Owner } from '../owner.js';

/** The built program, whether this file runs from src or from dist. */
const WATCHER_PROGRAM = createRequire(import.meta.url).resolve('#watcher');

/** The only variables passed on. Node may need them to find its libraries, or to start on an old Windows. */
const PASSED_VARIABLES = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'NODE_SKIP_PLATFORM_CHECK'];

/** A scratch directory; sent before it is created. */
export interface WatchedDirectory {
  readonly directory: string;
  readonly owner: Owner;
}

/** A message to the watcher, one line of JSON. */
export type WatcherMessage =
  | WatchedDirectory
  /** A temporary file of --out; sent before it is first created. */
  | { readonly temporary: string }
  /** The control group of a command; sent before it is created. */
  | { readonly controlGroup: string }
  /** The run has removed everything, or reported the remaining files. */
  | { readonly done: true };

/**
 * A process that removes this process's files if it is killed. It waits at the other end of a pipe, which the kernel
 * closes when all threads of this process have ended, for whatever reason.
 */
export class Watcher {
  /** Resolves to a warning when the watcher ends. A run continues without it. */
  readonly ended: Promise<Warning>;
  #child: ChildProcess | null = null;

  constructor() {
    this.ended = new Promise((resolve) => {
      const end = (loss: string) => resolve(createWarning('no-cleanup-process', { loss }));
      const onError = (error: unknown) =>
        end(`could not start the clean-up process (${systemReason(error)})`);
      try {
        this.#child = spawnWatcher();
      } catch (error) {
        // Node throws if there is too little memory, or if seccomp or its own permission model forbids it.
        onError(error);
        return;
      }
      this.#child.on('error', onError);
      this.#child.on('exit', (code, signal) =>
        end(`the clean-up process ended (${signal ?? `exit code ${code}`})`),
      );
    });
  }

  /** Ends the watcher: this process has removed its files, or reported the remaining files. */
  [Symbol.dispose](): void {
    this.register({ done: true });
    this.#child?.stdin?.end();
    // Node may hang while it starts if a limit on processes allows too few threads.
    this.#child?.kill('SIGKILL');
  }

  /** Call before the file or directory is created. */
  register(message: WatcherMessage): void {
    this.#child?.stdin?.write(`${JSON.stringify(message)}\n`);
  }
}

function spawnWatcher(): ChildProcess {
  // Detached, so neither a kill of the process group nor Ctrl-C reaches it.
  const child = spawn(process.execPath, [WATCHER_PROGRAM], {
    cwd: '/',
    env: Object.fromEntries(PASSED_VARIABLES.map((name) => [name, process.env[name]])),
    detached: true,
    // Without this, a detached process opens a console on Windows.
    windowsHide: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // The exit event reports an early end.
  child.stdin?.on('error', () => {});
  child.unref();
  return child;
}
