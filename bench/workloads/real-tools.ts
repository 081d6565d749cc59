import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, runChild } from '../harness/child.js';
import type { StepSeconds } from './agreement.js';
import { npmFlags, type Project } from './project.js';

const TRANSACTIONS_FILE = fileURLToPath(new URL('sqlite-transactions.py', import.meta.url));
const DATABASES = [
  ['commit-journal', 'delete', 'full'],
  ['commit-wal', 'wal', 'full'],
  ['commit-wal-normal', 'wal', 'normal'],
] as const;

/** Copies the files that the tools read to the filesystem. */
export function copyInputs({ cache, archive, ...project }: Project, mountPoint: string): Project {
  const copy = { cache: join(mountPoint, 'cache'), archive: join(mountPoint, 'tree.tar') };
  cpSync(cache, copy.cache, { recursive: true });
  copyFileSync(archive, copy.archive);
  return { ...project, ...copy };
}

/** Runs each tool in a new directory, in the order of the model's steps, with the programs and their inputs in RAM. */
export async function runRealTools(
  project: Project,
  withNpm: boolean,
  mountPoint: string,
  signal: AbortSignal,
): Promise<StepSeconds> {
  const parent = mkdtempSync(join(mountPoint, 'real-'));
  const directory = join(parent, 'project');
  const seconds: Record<string, number> = {};
  const run = (cwd: string, ...command: Command) => runChild(command, signal, cwd);
  const time = async (step: string, cwd: string, ...command: Command) => {
    seconds[step] = (await run(cwd, ...command)).elapsedMs / 1000;
  };

  await run(parent, 'git', 'clone', '--quiet', '--shared', '--no-checkout', project.repository, directory);
  await run(directory, 'git', 'checkout', '--quiet', 'HEAD', '--', 'package.json', 'package-lock.json');
  if (withNpm) {
    readAll((await run(parent, 'npm', 'root', '--global')).stdout.trim());
    readAll(project.cache);
    await time('install', directory, 'npm', 'ci', ...npmFlags(project.cache));
  } else await run(directory, 'tar', 'xf', project.archive);
  await time('flush', parent, 'sync', '--file-system', parent);

  await run(directory, 'git', 'reset', '--quiet');
  const { stdout } = await run(directory, 'git', 'status', '--porcelain');
  if (stdout !== '') throw new Error(`git status lists changed files: ${stdout.slice(0, 100)}`);
  await time('status', directory, 'git', 'status', '--porcelain');
  await run(parent, 'sync', '--file-system', parent);
  writeFileSync('/proc/sys/vm/drop_caches', '3');
  await run(parent, 'git', 'version');
  await time('status-cold', directory, 'git', 'status', '--porcelain');
  await run(parent, 'rm', '--version');
  await time('clean', directory, 'rm', '-rf', 'node_modules');

  for (const [step, journal, synchronous] of DATABASES) {
    const command = ['python3', TRANSACTIONS_FILE, join(parent, `${step}.db`), journal, synchronous] as const;
    seconds[step] = Number((await run(parent, ...command)).stdout);
  }
  await run(parent, 'tar', '--version');
  readFileSync(project.archive);
  await time('restore', parent, 'tar', 'xf', project.archive);
  return seconds;
}

/** Reads all files below a directory into the page cache. */
function readAll(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) readFileSync(join(entry.parentPath, entry.name));
  }
}
