import { chmodSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { firstReadAnswer } from '../../../src/format/human/commands/first-read-text.js';
import { run } from '../../../src/index.js';
import { StallDetector } from '../../../src/run/kernel/stall-detector.js';
import { measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { ENTRY, runGobonnie, startProcess } from '../../support/programs/program.js';

/** Creates a directory with a file of 3 MiB below it, which is in the page cache. */
function makeFiles() {
  const dir = makeDirectory(os.tmpdir());
  const file = path.join(dir, 'below', 'data');
  mkdirSync(path.dirname(file));
  writeFileSync(file, Buffer.alloc(3 * 1024 ** 2, 'x'), { flush: true });
  return { dir, file };
}

test('first-read cannot tell anything from a small file in the page cache, and changes neither files nor times', async () => {
  const { dir, file } = makeFiles();
  const before = statSync(file, { bigint: true });
  const report = path.join(makeDirectory(), 'report.json');
  const { stdout, exitCode } = await runGobonnie(['first-read', dir, '--quiet', '--out', report]);
  expect((await runInProcess(['show', report])).stdout).toBe(stdout);
  expect(stdout).toMatch(/^ {2}first-read: .* \(3 MiB in .*\), [\d.]+ % from the\s+volume\n/);
  expect(stdout).toMatch(
    / {2}Cannot tell:? (?:most was in the page cache\.|the files are in memory\.|from only 3 MiB\.)/,
  );
  const after = statSync(file, { bigint: true });
  expect({ atime: after.atimeNs, mtime: after.mtimeNs, ctime: after.ctimeNs }).toEqual({
    atime: before.atimeNs,
    mtime: before.mtimeNs,
    ctime: before.ctimeNs,
  });
  expect({ exitCode, entries: readdirSync(dir) }).toEqual({ exitCode: 0, entries: ['below'] });
});

test.each([
  [[], /^first-read needs a PATH; pass files or directories to read$/],
  [
    ['/nonexistent'],
    /^\/nonexistent cannot be read: no such file or directory \(ENOENT\); pass an existing file/,
  ],
  [
    [path.dirname(import.meta.filename), '--size', '1'],
    /^first-read has no --size; see gobonnie first-read --help$/,
  ],
  [
    ['/proc/self/fdinfo'],
    /^there is no file to read in \/proc\/self\/fdinfo; pass files of at least 4096 bytes/,
  ],
])('first-read %j is rejected in one line', async (args, line) => {
  const { stdout, stderr, exitCode } = await runInProcess(['first-read', ...args]);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr.slice('gobonnie: '.length, -1)).toMatch(line);
});

test.skipIf(process.getuid?.() === 0)('files that the user may not read are left out', async () => {
  const { dir, file } = makeFiles();
  chmodSync(file, 0);
  const { stderr, exitCode } = await runInProcess(['first-read', dir]);
  expect(stderr).toMatch(/^gobonnie: there is no file to read in .*; pass files of at least 4096 bytes/);
  expect(exitCode).toBe(2);
});

test('the files of another run of gobonnie are left out', async () => {
  const { dir } = makeFiles();
  renameSync(path.join(dir, 'below'), path.join(dir, 'gobonnie-abcdef'));
  const { stderr, exitCode } = await runInProcess(['first-read', dir]);
  expect(stderr).toContain('there is no file to read in ');
  expect(exitCode).toBe(2);
});

test('a link is followed if it is the path itself, and each file is read once', async () => {
  const { dir, file } = makeFiles();
  const link = path.join(dir, 'link');
  symlinkSync(file, link);
  const { stdout } = await runGobonnie(['first-read', link, file, dir, '--json', '--quiet']);
  const { runs } = JSON.parse(stdout);
  expect(runs[0].measurements[0].readBytes).toBe(3 * 1024 ** 2);
});

test('each entry that the search for files looks at is progress', async () => {
  const watch = vi.spyOn(StallDetector.prototype, 'watch');
  const { dir } = makeFiles();
  await runInProcess(['first-read', dir, '--dry-run']);
  const search = watch.mock.calls.find(([waitingFor]) => waitingFor === `the search for files in ${dir}`);
  // The directory, the directory below it, and the file.
  expect(search?.[2]?.()).toBe(3);
  watch.mockRestore();
});

test('a directory may have more entries than fit on the stack', async () => {
  const dir = makeDirectory();
  writeFileSync(path.join(dir, 'data'), Buffer.alloc(4096));
  for (let index = 0; index < 15_000; index++) writeFileSync(path.join(dir, `${index}`), '');
  // With the default stack, it takes over 100,000 entries.
  const args = ['--stack-size=100', ENTRY, 'first-read', dir, '--dry-run'];
  const { stderr, exitCode } = await startProcess(process.execPath, args).exitResult;
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
});

test.each([
  [1, '100 MB/s'],
  [0.8, '80 MB/s without the cached part'],
])(
  'a first read of %f from the volume, slower than the second, but fast, is explained by a cache',
  (share, rate) => {
    const { device, latencyNs } = measurementWith();
    const measurements = ['first-read', 'second-read'].map((step, index) =>
      measurementWith({
        step,
        bytesPerSecond: 1e8 * 4 ** index,
        readBytes: 1,
        device: { ...device, readBytes: share },
        latencyNs: latencyNs && { ...latencyNs, p50: 487_000 / 4 ** index },
      }),
    );
    expect(firstReadAnswer(reportWith({ runs: [runWith({ measurements })] }))).toBe(
      `First read ${rate}, second 400 MB/s: the second read was faster, from a cache below this machine. ` +
        'A volume that loads late takes 10 ms or more for a first read; here it took 487 µs.',
    );
    const report = reportWith({ runs: [runWith({ measurements })] });
    const lowerCache = { reason: '/dev/loop0 may cache its backing file', loopDevice: '/dev/loop0' };
    expect(firstReadAnswer({ ...report, target: { ...report.target, lowerCache } })).toContain(
      'the second read was faster, from a cache below the filesystem: /dev/loop0 may cache its backing file. A',
    );
  },
);

test('a program reads existing files by steps', async () => {
  const { file } = makeFiles();
  const steps = [{ phase: 'first-read', paths: [file] }, { phase: 'second-read' }] as const;
  const report = await run({ steps: structuredClone(steps) as never });
  expect(report.outcome).toEqual({ state: 'completed' });
  expect(report.target.directory).toBe(path.dirname(file));
  expect(report.runs[0]?.measurements.map(({ readBytes }) => readBytes)).toEqual([
    3 * 1024 ** 2,
    3 * 1024 ** 2,
  ]);
});
