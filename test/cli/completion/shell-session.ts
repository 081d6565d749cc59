import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { ENTRY } from '../../support/programs/program.js';

const TIMEOUT_MS = 100_000;

export interface Shell {
  /** Starts the shell. `$HOME` contains the start file and the program, which is on the PATH. */
  readonly command: string;
  /** The name and the text of the start file. It defines a `gobonnie` that writes its arguments to ~/arguments. */
  readonly startFile: string;
  readonly start: string;
}

/** Starts a shell in a terminal. Returns a function that types keys and Enter, and returns gobonnie's arguments. */
export async function openShell(
  { command, startFile, start }: Shell,
  cwd: string,
): Promise<(keys: string) => Promise<readonly string[]>> {
  const HOME = mkdtempSync(path.join(os.tmpdir(), 'test-shell-'));
  writeFileSync(path.join(HOME, startFile), start);
  writeFileSync(path.join(HOME, 'gobonnie'), `#!/bin/sh\nexec '${process.execPath}' '${ENTRY}' "$@"\n`);
  chmodSync(path.join(HOME, 'gobonnie'), 0o755);
  const env = { PATH: `${HOME}:${process.env.PATH}`, HOME, TERM: 'xterm', LANG: 'C.UTF-8' };
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd, env, stdio: 'pipe' });
  const closed = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.stdin.end('exit\r');
    await closed;
    rmSync(HOME, { recursive: true });
  });
  let screen = '';
  let onOutput = () => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    onOutput();
  });
  const waitForPrompt = () =>
    new Promise<void>((resolve, reject) => {
      const fail = () => reject(new Error(`the shell does not respond:\n${JSON.stringify(screen)}`));
      const timeout = setTimeout(fail, TIMEOUT_MS);
      onOutput = () => {
        if (!/<<done>>.*<<prompt>>/s.test(screen)) return;
        clearTimeout(timeout);
        resolve();
      };
    });
  await waitForPrompt();
  return async (keys) => {
    screen = '';
    child.stdin.write(`${keys}\r`);
    await waitForPrompt();
    return readFileSync(path.join(HOME, 'arguments'), 'utf8').split('\0').slice(0, -1);
  };
}
