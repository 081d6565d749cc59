import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll } from 'vitest';
import { FAST_DIRECTORY } from '../disks/directory.js';
import { type ExitResult, type StartedProcess, startProcess } from '../programs/program.js';
import { ROOT } from '../root.js';

const PRELUDE = readFileSync(new URL('prelude.cjs', import.meta.url), 'utf8');
/** Entry points of processes and threads. */
const PROGRAMS = [
  'bin/gobonnie.cjs',
  'dist/worker.cjs',
  'dist/watcher.cjs',
  'node_modules/systeminformation/lib/index.js',
];
const COPIED_PATHS = ['bin', 'dist', 'package.json', 'node_modules/systeminformation'];

/** Directories that exist only on Linux. */
const HIDDEN = ['/proc', '/sys'];

/** A copy of gobonnie on a simulated macOS, without /proc and with the given programs. */
export class SimulatedMacOS {
  readonly #root = mkdtempSync(path.join(FAST_DIRECTORY, 'macos-'));

  constructor(programs: Readonly<Record<string, string>>) {
    afterAll(() => rmSync(this.#root, { recursive: true, force: true }));
    for (const name of COPIED_PATHS) cpSync(path.join(ROOT, name), this.#in(name), { recursive: true });
    const text = `{${PRELUDE}}\n`;
    for (const name of PROGRAMS) {
      const file = this.#in(name);
      const [first = '', ...rest] = readFileSync(file, 'utf8').split('\n');
      const isShebang = first.startsWith('#!');
      writeFileSync(
        file,
        isShebang ? `${first}\n${text}${rest.join('\n')}` : `${text}${first}\n${rest.join('\n')}`,
      );
    }
    mkdirSync(this.#in('programs'));
    for (const [name, script] of Object.entries(programs))
      writeFileSync(this.#in('programs', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** Starts gobonnie after the shell command `before`, in a new mount namespace. */
  start(args: readonly string[], before = 'true'): StartedProcess {
    const steps = [
      before,
      ...HIDDEN.map((directory) => `mount -t tmpfs none ${directory}`),
      'PATH=$PROGRAMS:$PATH exec "$@"',
    ];
    return startProcess(process.execPath, [this.#in('bin/gobonnie.cjs'), ...args], {
      as: ['unshare', '--mount', 'sh', '-c', steps.join(' && '), 'sh'],
      env: { ...process.env, PROGRAMS: this.#in('programs') },
    });
  }

  run(args: readonly string[], before?: string): Promise<ExitResult> {
    return this.start(args, before).exitResult;
  }

  #in(...names: readonly string[]): string {
    return path.join(this.#root, ...names);
  }
}
