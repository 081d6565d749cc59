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
 * How many seconds it stays without a program. By default it ends with the last one, and a program that starts at that
 * moment ends without a word, too.
 */
const IDLE = '--persistent=60';
const WINDOWS_NODE = 'node.exe';
/** The last is Node for Windows, which Wine runs. */
const WINE_TOOLS = ['setarch', WINE, SERVER, WINDOWS_NODE];
/**
 * For setarch. Otherwise the kernel puts a program's heap anywhere in a GiB in which Windows has a fixed address of its
 * own. Once in a thousand times that is taken, and Wine ends without a word.
 */
const WINE_ARGS = ['--addr-no-randomize', WINE];

/** Once in some hundred programs Wine prints this while one of them exits. What the program did and printed is there. */
const WINE_ERROR = /^wine client error:.*\n/m;

/** What npm installs with the package. */
const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

/** In case that the program had not come to its end. */
function logWineError(line: string): string {
  console.warn(line);
  return '';
}

/** Windows for the tests of a file. */
export function useWine(): Wine {
  const wine = new Wine();
  beforeEach(requireTools(...WINE_TOOLS));
  beforeAll(() => WINE_TOOLS.every(isAvailable) && wine.boot());
  afterAll(() => wine.end());
  return wine;
}

/** A drive C: with gobonnie in it, and Node for Windows to run it. */
class Wine {
  /** Where drive C: is on this system. */
  readonly c: string;
  readonly #prefix: string;
  readonly #env: NodeJS.ProcessEnv;
  #runs = 0;

  constructor() {
    this.#prefix = mkdtempSync(path.join(os.tmpdir(), 'windows-'));
    this.c = path.join(this.#prefix, 'drive_c');
    // No variable of CI, and nothing of this user's home.
    this.#env = {
      PATH: process.env.PATH,
      HOME: this.#prefix,
      // For the sockets of its server.
      TMPDIR: this.#prefix,
      WINEPREFIX: this.#prefix,
      WINEDEBUG: '-all',
      // Otherwise names can have only letters of ASCII.
      LC_ALL: 'C.UTF-8',
      // Otherwise it offers to download Mono and Gecko.
      WINEDLLOVERRIDES: 'mscoree,mshtml=',
      NODE_SKIP_PLATFORM_CHECK: '1',
    };
  }

  /** Makes Windows' own files, which takes some seconds, and installs the package as npm packs it. */
  boot(): void {
    execFileSync(SERVER, [IDLE], { env: this.#env, stdio: 'ignore' });
    execFileSync('setarch', [...WINE_ARGS, 'wineboot', '--init'], { env: this.#env, stdio: 'ignore' });
    const app = this.#pathOf('app');
    const to = ['--silent', '--ignore-scripts', '--pack-destination', this.#prefix];
    const packed = execFileSync('npm', ['pack', ...to], { cwd: ROOT, encoding: 'utf8' }).trim();
    mkdirSync(app);
    execFileSync('tar', ['-xzf', path.join(this.#prefix, packed), '-C', app, '--strip-components=1']);
    for (const name of Object.keys(dependencies))
      cpSync(path.join(ROOT, 'node_modules', name), path.join(app, 'node_modules', name), {
        recursive: true,
      });
    symlinkSync(findOnPath(WINDOWS_NODE) ?? WINDOWS_NODE, this.#pathOf('node.exe'));
    for (const name of ['data', 'out']) mkdirSync(this.#pathOf(name));
  }

  /** Ends its programs, and removes the drive. */
  end(): void {
    // Fails if none of its programs is there any more.
    spawnSync(SERVER, ['-k', '-w'], { env: this.#env, stdio: 'ignore' });
    rmSync(this.#prefix, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The files in a folder of drive C:. */
  listFiles(folder: string): readonly string[] {
    return existsSync(this.#pathOf(folder)) ? readdirSync(this.#pathOf(folder)).toSorted() : [];
  }

  /** Starts gobonnie in C:\data. */
  start(args: readonly string[]): StartedProcess {
    return this.startNode('C:\\app\\bin\\gobonnie.cjs', args);
  }

  /** Wine gives Node no pipes that it can use as stdout and stderr. */
  startNode(script: string, args: readonly string[]): StartedProcess {
    const texts = ['stdout', 'stderr'].map((name) => path.join(this.#prefix, `${name}-${this.#runs}`));
    this.#runs += 1;
    const files = texts.map((file) => openSync(file, 'w'));
    const child = spawn('setarch', [...WINE_ARGS, 'C:\\node.exe', script, ...args], {
      cwd: this.#pathOf('data'),
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

  /** For one test, the directory is a drive of its own. */
  mountDrive(letter: string, directory: string): void {
    const link = path.join(this.#prefix, 'dosdevices', `${letter.toLowerCase()}:`);
    symlinkSync(directory, link);
    onTestFinished(() => rmSync(link));
  }

  /** Resolves with the path of the first entry of a folder, once it has one. */
  async untilFirstEntry(directory: string): Promise<string> {
    const first = await vi.waitUntil(() => readdirSync(directory)[0], { timeout: 60_000, interval: 2 });
    return path.join(directory, first);
  }

  #pathOf(folder: string): string {
    return path.join(this.c, folder);
  }
}
