import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { generateProject, newDirectories } from '../../../workers/files/project-tree.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { joinCallLines, traceGobonnie } from '../../support/programs/trace.js';
import { requireTools } from '../../support/tools.js';

const PACKAGES = 40;
const TOLERANCE = 0.02;
const OLD_SECONDS = 1_000_000_000;

/** Kinds of calls, by what they do: a program may use either form of a call. */
const KINDS: Readonly<Record<string, RegExp>> = {
  creates: /open(at)?\(.*O_CREAT/,
  writes: /p?write(64)?\(/,
  times: /utimensat\(/,
  directories: /mkdir(at)?\(/,
  deletes: /unlink(at)?\((?!.*AT_REMOVEDIR)/,
  removals: /rmdir\(|AT_REMOVEDIR/,
  looks: /(statx|newfstatat|lstat)\(.*S_IFREG/,
  syncs: /f(data)?sync\(/,
};

/** Writes the project that the phases use, and returns its directory. */
function writeProject(): string {
  const root = makeDirectory(os.tmpdir());
  const files = generateProject(root, PACKAGES);
  const paths = files.map((file) => file.path);
  for (const directory of newDirectories(root, paths).flat()) mkdirSync(directory);
  for (const file of files) {
    writeFileSync(file.path, Buffer.alloc(file.lengthBytes, 1));
    // git looks again at files that are as new as its index.
    utimesSync(file.path, OLD_SECONDS, OLD_SECONDS);
  }
  return root;
}

function countKinds(lines: readonly string[], place: string, kinds: readonly string[]) {
  const calls = joinCallLines(lines).filter((line) => line.includes(place) && !line.includes('ENOENT'));
  return kinds.map((kind) => [kind, calls.filter((line) => KINDS[kind]?.test(line)).length] as const);
}

/** Runs a tool under strace, and counts its calls on files below `place`. */
function traceTool(command: readonly string[], cwd: string, place: string, kinds: readonly string[]) {
  const log = path.join(makeDirectory(os.tmpdir()), 'calls');
  execFileSync('strace', ['-f', '-qq', '-y', '-s', '0', '-o', log, ...command], { cwd, stdio: 'ignore' });
  return countKinds(readFileSync(log, 'utf8').trimEnd().split('\n'), place, kinds);
}

async function traceModel(phases: string, place: string, kinds: readonly string[]) {
  const flags = [
    '--phases',
    phases,
    '--packages',
    String(PACKAGES),
    '-q',
    '--dir',
    makeDirectory(os.tmpdir()),
  ];
  const { lines } = await traceGobonnie(['-y', '-s', '0'], flags);
  return countKinds(lines, place, kinds);
}

function expectSameCounts(model: ReturnType<typeof countKinds>, tool: ReturnType<typeof countKinds>): void {
  for (const [at, [kind, count]] of tool.entries()) {
    expect(count, `no ${kind}`).toBeGreaterThan(0);
    expect(
      Math.abs((model[at]?.[1] ?? 0) / count - 1),
      `${kind}: ${model[at]?.[1]} and ${count}`,
    ).toBeLessThan(TOLERANCE);
  }
}

describe('under strace, a model makes as many calls of each kind as the real tool on the same tree:', () => {
  beforeEach(requireTools('strace', 'git', 'tar'));

  test('rm -rf', async () => {
    const kinds = ['deletes', 'removals'];
    const tool = traceTool(['rm', '-rf', 'node_modules'], writeProject(), '', kinds);
    expectSameCounts(await traceModel('install,clean', 'tool-project.1/node_modules', kinds), tool);
  });

  test('tar x', async () => {
    const root = writeProject();
    execFileSync('tar', ['cf', 'archive.tar', '--sort=name', 'node_modules'], { cwd: root });
    mkdirSync(path.join(root, 'restored'));
    const kinds = ['creates', 'times', 'directories', 'writes'];
    const tool = traceTool(
      ['tar', 'xf', '../archive.tar'],
      path.join(root, 'restored'),
      'node_modules',
      kinds,
    );
    expectSameCounts(await traceModel('restore', 'tool-restore.1/node_modules', kinds), tool);
  });

  test('git status', async () => {
    const root = writeProject();
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x', ...args], { cwd: root });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'x');
    git('status');
    const tool = traceTool(['git', 'status'], root, 'node_modules', ['looks']);
    expectSameCounts(await traceModel('install,status', 'tool-project.1/node_modules', ['looks']), tool);
  });

  test.each([
    ['commit-journal', 'DELETE', 4],
    ['commit-wal', 'WAL', 1],
  ])('SQLite in a mode like %s', async (phase, mode, syncsPerCommit) => {
    const script = `
import sqlite3
db = sqlite3.connect('db', isolation_level=None)
db.execute('pragma journal_mode=${mode}')
db.execute('pragma synchronous=FULL')
db.execute('create table t (id integer primary key, v text)')
for at in range(100):
    db.execute('begin'); db.execute("insert into t(v) values ('x')"); db.execute('commit')
`;
    const [[, syncs = 0] = []] = traceTool(['python3', '-c', script], makeDirectory(os.tmpdir()), '', [
      'syncs',
    ]);
    expect(Math.abs(syncs / 100 - syncsPerCommit)).toBeLessThan(0.2);
    const { lines } = await traceGobonnie(
      ['-y', '-s', '0', '-e', 'trace=fdatasync,pwrite64'],
      [...['--phases', phase, '-q', '--format', 'report', '--dir', makeDirectory(os.tmpdir())]],
    );
    const calls = lines.filter((line) => line.includes(`tool-${phase}.1`));
    const modelSyncs = calls.filter((line) => line.includes('fdatasync')).length;
    const firstWrites = calls.filter((line) => /pwrite64\(.*, (512, 0|24, \d+)\)/.test(line)).length;
    const commits = phase === 'commit-wal' ? firstWrites / 3 : firstWrites;
    expect(Math.abs(modelSyncs / commits - syncsPerCommit)).toBeLessThan(0.2);
  });
});
