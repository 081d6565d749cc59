import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ENTRY } from '../../support/programs/program.js';

const TAB = '\t';
const ENTER = '\r';
const CTRL_U = '\x15';
/** The start files print the prompt in parts, because the terminal may echo their text. */
const PROMPT = '<<prompt>>';
const TIMEOUT_MS = 100_000;
const DONE = /<<done>>.*<<prompt>>/s;

export interface ShellSetup {
  /** Starts the shell. `$HOME` contains only the start file. */
  readonly command: string;
  readonly startFile: string;
  /** The start file. It can run the real program as `"$NODE" "$ENTRY"`. */
  readonly start: string;
  readonly directory: string;
}

/** Types into a shell on its own terminal. `gobonnie` there is a function that writes its arguments to a file. */
export class ShellSession {
  readonly #child: ChildProcess;
  readonly #home: string;
  #screen = '';
  #onOutput: () => void = () => {};
  #onEnd: () => void = () => {};

  private constructor(child: ChildProcess, home: string) {
    this.#child = child;
    this.#home = home;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#screen += text;
      this.#onOutput();
    });
    child.once('close', () => this.#onEnd());
  }

  static async start({ command, startFile, start, directory }: ShellSetup): Promise<ShellSession> {
    const home = mkdtempSync(path.join(os.tmpdir(), 'test-shell-'));
    writeFileSync(path.join(home, startFile), start);
    const { PATH } = process.env;
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: directory,
      env: { PATH, HOME: home, NODE: process.execPath, ENTRY, TERM: 'xterm', LANG: 'C.UTF-8' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const session = new ShellSession(child, home);
    await session.#waitFor((screen) => screen.includes(PROMPT));
    return session;
  }

  /** Types the line, Tab and Enter, and returns the arguments that gobonnie received. */
  async argumentsAt(line: string): Promise<readonly string[]> {
    await this.#type(line + TAB + ENTER);
    return this.#readItems('arguments', '\0');
  }

  /** Returns the offers at the end of the line, if the start file writes them to a file. Discards the line. */
  async offersAt(line: string): Promise<readonly string[]> {
    writeFileSync(path.join(this.#home, 'offers'), '');
    await this.#type(`${line}${TAB}${CTRL_U}gobonnie${ENTER}`);
    return this.#readItems('offers', '\n');
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.stdin?.end(`exit${ENTER}`);
    await ended;
    rmSync(this.#home, { recursive: true });
  }

  async #type(keys: string): Promise<void> {
    this.#screen = '';
    this.#child.stdin?.write(keys);
    await this.#waitFor((screen) => DONE.test(screen));
  }

  #waitFor(isReady: (screen: string) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (problem: string) =>
        reject(new Error(`the shell ${problem}:\n${JSON.stringify(this.#screen)}`));
      const timeout = setTimeout(fail, TIMEOUT_MS, 'does not respond');
      this.#onEnd = () => fail('has exited');
      this.#onOutput = () => {
        if (!isReady(this.#screen)) return;
        clearTimeout(timeout);
        resolve();
      };
    });
  }

  #readItems(name: string, end: string): readonly string[] {
    return readFileSync(path.join(this.#home, name), 'utf8').split(end).slice(0, -1);
  }
}
