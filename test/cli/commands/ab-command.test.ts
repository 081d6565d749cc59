import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { abSchema } from '../../../src/compare/comparison-schema.js';
import { makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { mountBindfs, mountTmpfs } from '../../support/disks/mounts.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { runGobonnie } from '../../support/programs/program.js';
import { requireTools } from '../../support/tools.js';
import { enterDirectory } from '../config/config-directory.js';

/** Runs a command for two sides in a source directory with the given files. */
async function compare(
  words: readonly string[],
  flags: readonly string[] = [],
  files: Record<string, string> = {},
) {
  const cwd = makeDirectory();
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text);
  const sides = [makeDirectory(), makeDirectory()] as const;
  const result = await runGobonnie(['ab', ...sides, ...flags, '--', ...words], { cwd });
  expect(sides.map((side) => readdirSync(side))).toEqual([[], []]);
  return { ...result, cwd, sides };
}

test('ab runs a command in a copy of the current directory, and prints the time on both sides', async () => {
  const { stdout, stderr, exitCode, sides } = await compare(
    ['grep', 'needle', 'a file'],
    ['--runs', '3', '-v'],
    { 'a file': 'needle' },
  );
  expect(exitCode).toBe(0);
  for (const row of ['time', 'waits for I/O']) expect(stdout).toMatch(new RegExp(`^${row} +\\S+`, 'm'));
  expect(stdout).toMatch(new RegExp(`^\\S+ m?s .*in ${sides[0]}, which is memory, .* in ${sides[1]}`, 'm'));
  expect(stderr.match(/: [\d.]+ ms \(first run, not counted\)$/gm)).toHaveLength(2);
  expect(stderr.match(/: [\d.]+ ms$/gm)).toHaveLength(6);
  expect(stderr.match(/^needle$/gm)).toHaveLength(8);
});

test('--seconds limits the time of a comparison that is not decided', async () => {
  const script = 'sleep 0.$(od -An -N1 -tu1 /dev/urandom | tr -d " ")';
  const { stdout, exitCode } = await compare(['sh', '-c', script], ['--seconds', '4', '--json']);
  const { runs = [] } = abSchema.parse(JSON.parse(stdout)).command?.sides[0] ?? {};
  expect(exitCode).toBe(0);
  // A random time of up to 0.99 s is never decided: without a limit, 100 runs would follow.
  expect(runs.length).toBeLessThan(30);
});

test('--json matches its schema, and has each counted run with its CPU time and the bytes of the device', async () => {
  const { stdout } = await compare(
    ['sh', '-c', 'echo x > written; cat written'],
    ['--runs', '2', '--json', '-q'],
  );
  const document = abSchema.parse(JSON.parse(stdout));
  for (const { words, runs, firstRunSeconds } of document.command?.sides ?? []) {
    expect(words).toEqual(['sh', '-c', 'echo x > written; cat written']);
    expect(firstRunSeconds).toBeGreaterThan(0);
    expect(runs).toHaveLength(2);
    for (const { seconds, cpuSeconds } of runs) {
      expect(seconds).toBeGreaterThan(0);
      expect(cpuSeconds ?? 0).toBeLessThan(seconds * os.availableParallelism() + 0.02);
    }
  }
});

test("a side in memory has the counts of the other side's disk, but no share of reads from a cache", async (context) => {
  requireTools('root')(context);
  const sides = [mountTmpfs('size=8m'), makeDirectory(os.tmpdir())];
  const args = ['ab', ...sides, '--runs', '1', '--no-copy', '--json', '-q', '--', 'true'];
  const { stdout } = await runGobonnie(args);
  const [memory] = abSchema.parse(JSON.parse(stdout)).command?.sides ?? [];
  expect(memory?.runs[0]).toMatchObject({ deviceReadBytes: expect.any(Number), cachedShare: null });
});

test('--vs compares commands in one directory, each in its own copy, until the difference is known', async () => {
  const cwd = makeDirectory();
  writeFileSync(path.join(cwd, 'file'), 'text');
  const dir = makeDirectory();
  const slow = 'test -f file && touch own && sleep 0.2';
  const args = ['ab', dir, '--json', '--', 'sh', '-c', 'test ! -f own', '--vs', 'sh', '-c', slow];
  const { stdout, stderr, exitCode } = await runGobonnie(args, { cwd });
  expect([stderr.split('\n').length, exitCode, readdirSync(dir)]).toEqual([2, 0, []]);
  const { comparisons, command } = abSchema.parse(JSON.parse(stdout));
  expect(comparisons[0]).toMatchObject({ before: "sh -c 'test ! -f own'", after: `sh -c '${slow}'` });
  expect(comparisons[0]?.changes[0]?.direction).toBe('worse');
  expect(comparisons[0]?.changes[0]?.before.runs).toBeLessThan(50);
  expect(command?.sides.map(({ directory }) => directory)).toEqual([dir, dir]);
});

test('runs start with the page cache as it is if the command takes less than a second, otherwise without', async (context) => {
  requireTools('root')(context);
  for (const [seconds, applied] of [
    ['0.1', 'keep'],
    ['1.1', 'drop'],
  ] as const) {
    const { stdout } = await compare(['sleep', seconds], ['--runs', '1', '--json', '-q']);
    expect(abSchema.parse(JSON.parse(stdout)).command?.cache).toMatchObject({ applied });
  }
});

test('CPU time is that of the command with all its processes', async () => {
  const loop = 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done';
  const { stdout } = await compare(
    ['sh', '-c', `(${loop}) & ${loop}; wait`],
    ['--runs', '1', '--json', '-q'],
  );
  const [side] = abSchema.parse(JSON.parse(stdout)).command?.sides ?? [];
  const [run] = side?.runs ?? [];
  const alone = execFileSync('sh', ['-c', `${loop}; times`], { encoding: 'utf8' });
  const [, userSeconds] = /^0m([\d.]+)s/.exec(alone) ?? [];
  expect(run?.cpuSeconds).toBeGreaterThan(1.2 * Number(userSeconds));
});

test('the copy has links as links, modes and times, but no excluded entries, and the source may be read-only', async () => {
  const cwd = makeDirectory();
  mkdirSync(path.join(cwd, 'locked'));
  mkdirSync(path.join(cwd, 'node_modules'));
  writeFileSync(path.join(cwd, 'locked', 'tool'), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync('/etc/passwd', path.join(cwd, 'link'));
  execFileSync('mkfifo', [path.join(cwd, 'pipe')]);
  execFileSync('touch', [
    '-d',
    '2001-02-03T04:05:06Z',
    path.join(cwd, 'locked', 'tool'),
    path.join(cwd, 'locked'),
  ]);
  for (const directory of [path.join(cwd, 'locked'), cwd]) chmodSync(directory, 0o555);
  // Other users than root cannot empty a read-only directory.
  onTestFinished(() => {
    for (const directory of [cwd, path.join(cwd, 'locked')]) chmodSync(directory, 0o755);
  });
  const list = "find . -mindepth 1 -printf '%p %y %m %TY %l\\n' | sort >&2";
  const args = ['ab', makeDirectory(), makeDirectory(), '--runs', '1', '-v', '--exclude', 'node_modules/'];
  args.push('--exclude', 'nodemodules');
  const { stderr, exitCode } = await runGobonnie([...args, '--', 'sh', '-c', list], { cwd });
  expect(exitCode).toBe(0);
  expect(stderr).toContain('not copied: sockets, pipes and devices (1)');
  expect(stderr.match(/^note: --exclude .*/gm)).toEqual(['note: --exclude nodemodules matches nothing']);
  const listed = './link l 777 \\d+ /etc/passwd\n./locked d 555 2001 \n./locked/tool f 755 2001 \n';
  expect(stderr.match(new RegExp(listed, 'g'))).toHaveLength(4);
  expect(stderr).not.toMatch(/\.\/(node_modules|pipe)/);
});

test('--prepare runs before each run, in the copy, and --no-copy starts in an empty directory', async () => {
  const flags = ['--runs', '2', '--no-copy', '--prepare', 'ls -A; echo x > prepared', '-v'];
  const { stderr, exitCode } = await compare(['sh', '-c', 'test -f prepared && rm prepared'], flags, {
    file: '',
  });
  expect([stderr.match(/file|prepared$/gm), exitCode]).toEqual([null, 0]);
});

test('a command that fails ends the comparison with its last lines and its exit code', async () => {
  const script = 'for i in $(seq 35); do echo line $i; done; exit 7';
  const { stdout, stderr, exitCode } = await compare(['sh', '-c', script]);
  expect([stdout, exitCode]).toEqual(['', 1]);
  expect(stderr).toMatch(
    /^line 6\n(?:line \d+\n){28}line 35\ngobonnie: .* ended with exit code 7; its last/m,
  );
  expect(stderr).not.toContain('line 5\n');
  const silent = await compare(['sh', '-c', '[ -e failed ] && exit 7; echo the first run; touch failed']);
  expect(silent.stderr).toMatch(
    /^gobonnie: .* ended with exit code 7; it printed nothing; an earlier run succeeded: --prepare can undo what it left$/m,
  );
  expect(silent.stderr).not.toMatch(/^(the first run)?\n/m);
});

test('--max-regression gives exit code 3 if another side is slower, and --out writes the comparison', async () => {
  const out = makeDirectory();
  const files = ['.html', '.json', '.md'].map((extension) => path.join(out, `ab${extension}`));
  // Long enough to be counted in ticks of 10 ms, where this user may create no control group.
  const compute = 'i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done';
  // Mostly a sleep, because the time of the loop varies by any factor on a busy machine.
  const script = `${compute}; sleep 0.5; case $PWD in *slow*) sleep 2;; esac`;
  const [fast, slow] = [makeDirectory(), path.join(makeDirectory(), 'slow')];
  mkdirSync(slow);
  const flags = ['--runs', '6', '--max-regression', '50%', '--format=markdown', '--warm', '--no-copy'];
  const { stdout, exitCode } = await runGobonnie(
    ['ab', fast, slow, ...flags, ...files.flatMap((file) => ['--out', file]), '--', 'sh', '-c', script],
    { cwd: out },
  );
  expect(exitCode).toBe(3);
  const [page = '', json = '', markdown = ''] = files.map((file) => readFileSync(file, 'utf8'));
  expect(page).toContain('starts in an empty directory on each side');
  expect(page).toMatch(/<b>CPU time<\/b>/);
  expect(abSchema.parse(JSON.parse(json)).comparisons[0]?.changes[0]?.verdict).toBe('regression');
  expect(markdown).toMatch(/^\| time \| [\d.]+ m?s \| [\d.]+ s \| .*^\| CPU time \| /ms);
  expect(markdown).toBe(stdout);
});

test.each([
  ['no command', ['.', '.', '--'], 'there is no command after --'],
  ['one directory', ['.', '--', 'true'], 'ab needs a second directory, or a second command; type'],
  [
    'a command in quotes',
    ['.', '.', '--', 'npm ci'],
    'there is no program "npm ci"; type it without quotes: npm ci',
  ],
  [
    'a second command in quotes',
    ['.', '--', 'true', '--vs', 'npm ci'],
    'there is no program "npm ci"; type it without quotes: npm ci',
  ],
  [
    'a script in quotes',
    ['.', '--', 'true', '--vs', 'npm ci; sync'],
    'there is no program "npm ci; sync"; run it in a shell: sh -c \'npm ci; sync\'',
  ],
  [
    'a second program that does not exist',
    ['.', '--', 'true', '--vs', 'no-such-program', '--flag'],
    'there is no program no-such-program; install it, or pass another command',
  ],
  [
    'a command without --',
    ['.', '.', 'npm'],
    'there is no directory npm; pass an existing one; before a command, type --',
  ],
  [
    'several commands in several directories',
    ['.', '.', '--', 'true', '--vs', 'false'],
    '--vs compares commands in one directory',
  ],
  ['--vs without a second command', ['.', '--', 'true', '--vs'], '--vs stands between two commands'],
  [
    'an option of the benchmark',
    ['.', '.', '--size', '1', '--', 'true'],
    '--size does not apply to a command',
  ],
  ['an option of a command without one', ['.', '.', '--prepare', 'x'], '--prepare needs a command'],
  [
    'a missing source',
    ['.', '.', '--copy', '/nonexistent', '--', 'true'],
    'cannot read /nonexistent: no such file',
  ],
  [
    'two sources',
    ['.', '.', '--copy', '.', '--no-copy', '--', 'true'],
    '--no-copy and --copy . contradict each other',
  ],
  [
    'an unknown format of --out',
    ['.', '.', '--out', 'x.csv', '--', 'true'],
    '--out x.csv has no known extension',
  ],
])('%s is rejected with exit code 2', async (_, args, message) => {
  const cwd = enterDirectory({});
  const { stdout, stderr, exitCode } = await runInProcess(['ab', ...args]);
  expect([stdout, exitCode]).toEqual(['', 2]);
  expect(stderr).toContain(`gobonnie: ${message}`);
  expect(readdirSync(cwd)).toEqual([]);
});

test('--dry-run says what would be copied, and runs nothing', async () => {
  const { stdout, stderr, exitCode, cwd, sides } = await compare(['touch', 'x'], ['--dry-run'], {
    file: 'text',
  });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout.split('\n')).toEqual([
    `Would measure in ${sides.join(', ')}`,
    `  touch x runs in a copy of ${cwd} on each side (files and directories: 1; 8 KiB)`,
    '  rounds after a first one, which does not count: until the answer is known, for at most 1 min 0 s or one round',
    '  page cache before each run: emptied, unless the first runs take less than a second',
    'Nothing was run or written.',
    '',
  ]);
});

test('a filesystem without space or inodes for the copy is rejected before anything is copied', async (context) => {
  requireTools('root', 'mount')(context);
  const cwd = makeDirectory();
  writeFileSync(path.join(cwd, 'file'), Buffer.alloc(5_000_000));
  for (const [options, message] of [
    ['size=2m', 'needs 4.8 MiB, but only 2 MiB are free'],
    ['size=64m,nr_inodes=2', 'needs 2 inodes, but only 1 are free'],
  ] as const) {
    const small = mountTmpfs(options);
    const { stderr, exitCode } = await runGobonnie(['ab', cwd, small, '--', 'true'], { cwd });
    expect([stderr.includes(message), exitCode, readdirSync(small)]).toEqual([true, 2, []]);
  }
});

test('an unprivileged user can compare, and learns how the page cache was emptied', async (context) => {
  requireTools('root', 'setpriv')(context);
  const cwd = makePublicDirectory();
  writeFileSync(path.join(cwd, 'file'), 'text', { mode: 0o644 });
  const as = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
  const args = ['ab', makePublicDirectory(), makePublicDirectory(), '--runs', '2', '--cache', 'evict'];
  const { stdout, exitCode } = await runGobonnie([...args, '--', 'cat', 'file'], { cwd, as });
  expect(exitCode).toBe(0);
  expect(stdout).toContain("the page cache was emptied of the copy's files");
  expect(stdout).toContain('The waits for I/O count all programs');
  // The shell counts CPU time in ticks of 10 ms, which cat does not need.
  expect(stdout).not.toMatch(/CPU time +0/);
});

test('a side is faster than the same directory through bindfs', async (context) => {
  requireTools('root', 'bindfs')(context);
  // Each creation and each deletion is a question to another process.
  const view = mountBindfs(makeDirectory(), []);
  const direct = makeDirectory();
  const script = 'seq 2000 | xargs touch; seq 2000 | xargs rm';
  const flags = ['--warm', '--runs', '4', '--no-copy', '--json', '-q'];
  const { stdout } = await runGobonnie(['ab', view, direct, ...flags, '--', 'sh', '-c', script]);
  const { winners, comparisons, command } = abSchema.parse(JSON.parse(stdout));
  expect(winners[0]?.leader).toBe(direct);
  expect(command?.sides.map(({ fileServer }) => fileServer)).toEqual(['process', null]);
  expect(comparisons[0]?.changes[0]?.changePercent).toBeLessThan(0);
});
