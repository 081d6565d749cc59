import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, onTestFinished, vi } from 'vitest';
import type { ExitResult, StartedProcess } from '../programs/program.js';
import { ROOT } from '../root.js';
import { findOnPath, isAvailable, requireTools } from '../tools.js';

const WINE = '/usr/lib/wine/wine64';
const SERVER = '/usr/lib/wine/wineserver64';
/**
 * Keeps the server running for 60 s without a program. By default it exits with the last program, and a program that
 * starts at that moment also exits, without a message.
 */
const IDLE = '--persistent=60';
const WINDOWS_NODE = 'node.exe';
/** Includes Node for Windows, which Wine runs. */
const WINE_TOOLS = ['setarch', WINE, SERVER, WINDOWS_NODE];
/**
 * Arguments of setarch. With randomisation, once in a thousand runs the kernel places a program's heap at a fixed
 * address of Windows, and Wine exits without a message.
 */
const WINE_ARGS = ['--addr-no-randomize', WINE];

/** Wine prints this at the exit of one in some hundred programs. The program's work and output are complete. */
const WINE_ERROR = /^wine client error:.*\n/m;

/** Packages that npm installs with gobonnie. */
const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

/** Logs the error, in case the program was not complete after all. */
function logWineError(line: string): string {
  console.warn(line);
  return '';
}

/** Provides Windows for the tests of a file. */
export function useWine(): Wine {
  const wine = new Wine();
  beforeEach(requireTools(...WINE_TOOLS));
  beforeAll(() => WINE_TOOLS.every(isAvailable) && wine.boot());
  afterAll(() => wine.end());
  return wine;
}

/** A drive C: with gobonnie and Node for Windows. */
class Wine {
  /** Path of drive C: on this system. */
  readonly c: string;
  readonly #prefix: string;
  readonly #env: NodeJS.ProcessEnv;
  #runs = 0;

  constructor() {
    this.#prefix = mkdtempSync(path.join(os.tmpdir(), 'windows-'));
    this.c = path.join(this.#prefix, 'drive_c');
    // No CI variables, and not this user's home.
    this.#env = {
      PATH: process.env.PATH,
      HOME: this.#prefix,
      // Directory of the server's sockets.
      TMPDIR: this.#prefix,
      WINEPREFIX: this.#prefix,
      WINEDEBUG: '-all',
      // Otherwise names can have only ASCII letters.
      LC_ALL: 'C.UTF-8',
      // Otherwise Wine offers to download Mono and Gecko.
      WINEDLLOVERRIDES: 'mscoree,mshtml=',
      NODE_SKIP_PLATFORM_CHECK: '1',
    };
  }

  /** Creates the Windows files, which takes some seconds, and installs the packed package. */
  boot(): void {
    execFileSync(SERVER, [IDLE], { env: this.#env, stdio: 'ignore' });
    execFileSync('setarch', [...WINE_ARGS, 'wineboot', '--init'], { env: this.#env, stdio: 'ignore' });
    const app = this.#resolvePath('app');
    const to = ['--silent', '--ignore-scripts', '--pack-destination', this.#prefix];
    const packed = execFileSync('npm', ['pack', ...to], { cwd: ROOT, encoding: 'utf8' }).trim();
    mkdirSync(app);
    execFileSync('tar', ['-xzf', path.join(this.#prefix, packed), '-C', app, '--strip-components=1']);
    for (const name of Object.keys(dependencies))
      cpSync(path.join(ROOT, 'node_modules', name), path.join(app, 'node_modules', name), {
        recursive: true,
      });
    symlinkSync(findOnPath(WINDOWS_NODE) ?? WINDOWS_NODE, this.#resolvePath('node.exe'));
    for (const name of ['data', 'out']) mkdirSync(this.#resolvePath(name));
  }

  /** Ends all programs and removes the drive. */
  end(): void {
    // Fails if no program is running.
    spawnSync(SERVER, ['-k', '-w'], { env: this.#env, stdio: 'ignore' });
    rmSync(this.#prefix, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Returns the files in a folder of drive C:. */
  listFiles(folder: string): readonly string[] {
    return existsSync(this.#resolvePath(folder)) ? readdirSync(this.#resolvePath(folder)).toSorted() : [];
  }

  /** Starts gobonnie in C:\data. */
  start(args: readonly string[]): StartedProcess {
    return this.startNode('C:\\app\\bin\\gobonnie.cjs', args);
  }

  /** Redirects output to files, because Node cannot use Wine's pipes as stdout and stderr. */
  startNode(script: string, args: readonly string[]): StartedProcess {
    const texts = ['stdout', 'stderr'].map((name) => path.join(this.#prefix, `${name}-${this.#runs}`));
    this.#runs += 1;
    const files = texts.map((file) => openSync(file, 'w'));
    const child = spawn('setarch', [...WINE_ARGS, 'C:\\node.exe', script, ...args], {
      cwd: this.#resolvePath('data'),
      env: this.#env,
      stdio: ['ignore', ...files],
    });
    for (const file of files) closeSync(file);
    const exitResult = new Promise<ExitResult>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (exitCode, signal) => {
        const [stdout = '', stderr = ''] = texts.map((file) => readFileSync(file, 'utf8'));
        resolve({ stdout, stderr: stderr.replace(WINE_ERROR, logWineError), exitCode, signal });
      });
    });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await exitResult;
    });
    return { child, exitResult };
  }

  /** Makes the directory a drive for one test. */
  mountDrive(letter: string, directory: string): void {
    const link = path.join(this.#prefix, 'dosdevices', `${letter.toLowerCase()}:`);
    symlinkSync(directory, link);
    onTestFinished(() => rmSync(link));
  }

  /** Resolves to the path of the first entry of a folder, as soon as it exists. */
  async untilFirstEntry(directory: string): Promise<string> {
    const first = await vi.waitUntil(() => readdirSync(directory)[0], { timeout: 60_000, interval: 2 });
    return path.join(directory, first);
  }

  #resolvePath(folder: string): string {
    return path.join(this.c, folder);
  }
}
