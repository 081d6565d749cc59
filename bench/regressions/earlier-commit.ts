import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from '../harness/child.js';
import type { BenchmarkedProgram } from '../programs/benchmarked-program.js';
import { GOBONNIE_PATH, gobonnieProgram, workCommand } from '../programs/gobonnie.js';
import { parseGobonniegoJson } from '../programs/gobonniego-json.js';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
/** Not in node_modules, which npm takes for the inside of a package. */
const BUILDS = path.join(tmpdir(), 'gobonnie-commits');

/** Builds a commit unless it has been built before. Returns its hash and its program. */
export function buildCommit(commit: string): { readonly hash: string; readonly file: string } {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' }).trim();
  const hash = git('rev-parse', '--short', '--verify', `${commit}^{commit}`);
  const directory = path.join(BUILDS, hash);
  const file = path.join(directory, GOBONNIE_PATH);
  if (existsSync(path.join(directory, 'dist'))) return { hash, file };
  mkdirSync(directory, { recursive: true });
  const archive = execFileSync('git', ['archive', hash], { cwd: REPOSITORY, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  for (const args of [['ci'], ['run', 'build']])
    execFileSync('npm', [...args, '--silent'], { cwd: directory, stdio: 'inherit' });
  return { hash, file };
}

/** Runs the same command as the program of the work tree. */
export function programOf({ hash, file }: ReturnType<typeof buildCommit>): BenchmarkedProgram {
  return {
    ...gobonnieProgram,
    name: hash,
    async measure(work, directory, signal) {
      const [node, , ...args] = workCommand(work, directory);
      const { stdout } = await runChild([node, file, ...args], signal);
      return parseGobonniegoJson(stdout);
    },
  };
}
