import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmdirSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { inspect, memoryLimit, mountsOfDf } from '../src/machine.js';
import { GIB, MIB } from '../src/units.js';
import { makeDirectory } from './directory.js';
import { refusal } from './fixtures.js';
import { testOnLinux } from './linux.js';
import { mountTmpfs } from './mount.js';
import { needs } from './tool.js';

const asRoot = process.geteuid?.() === 0;

test("the host's facts are the system's own", async () => {
  expect(await inspect()).toMatchObject({
    platform: process.platform,
    nodeVersion: process.version,
    cores: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    isRoot: asRoot,
    target: { directory: os.tmpdir() },
  });
});

test.each([
  ['none', undefined],
  ['the zero of a kernel without cgroups', 0],
  ['the huge number of cgroup v1 without a limit', 2 ** 63 - 4096],
  ['one above the memory', 16 * GIB + 1],
])('a memory limit that is %s leaves the whole memory', (_, limit) => {
  expect(memoryLimit(16 * GIB, limit)).toBe(16 * GIB);
});

test("a container's memory limit below the memory counts", () => {
  expect(memoryLimit(16 * GIB, 512 * MIB)).toBe(512 * MIB);
});

test('a directory is found with its free space', async () => {
  const directory = makeDirectory();
  const { bsize, blocks } = statfsSync(directory);
  const { target } = await inspect(directory);
  expect(target).toMatchObject({
    directory,
    exists: true,
    isDirectory: true,
    writable: true,
    totalBytes: bsize * blocks,
  });
  expect(target.availableBytes).toBeGreaterThan(0);
  expect(target.availableBytes).toBeLessThanOrEqual(target.totalBytes);
});

test('a relative directory is made absolute', async () => {
  expect((await inspect('.')).target).toMatchObject({ directory: process.cwd(), isDirectory: true });
});

test('a missing directory is told by the nearest one above it, and is not made', async () => {
  const directory = makeDirectory();
  const missing = path.join(directory, 'a', 'b');
  const { target: above } = await inspect(directory);
  const { target } = await inspect(missing);
  expect(target).toMatchObject({ directory: missing, exists: false, isDirectory: true, writable: true });
  expect([target.filesystem, target.mount, target.device]).toEqual([
    above.filesystem,
    above.mount,
    above.device,
  ]);
  expect((await inspect(path.join(directory, 'a'))).target.exists).toBe(false);
});

test.each<[string, (file: string) => void]>([
  ['file', (file) => writeFileSync(file, 'mine')],
  ['FIFO', (file) => execFileSync('mkfifo', [file])],
  ['link that leads nowhere', (file) => symlinkSync('nowhere', file)],
  ['link to itself', (file) => symlinkSync(path.basename(file), file)],
])('a %s is there, and is no directory', async (_, make) => {
  const file = path.join(makeDirectory(), 'target');
  make(file);
  expect((await inspect(file)).target).toMatchObject({ directory: file, exists: true, isDirectory: false });
});

test('a link to a directory is a directory', async () => {
  const directory = makeDirectory();
  const link = path.join(directory, 'link');
  mkdirSync(path.join(directory, 'real'));
  symlinkSync('real', link);
  expect((await inspect(link)).target).toMatchObject({ directory: link, exists: true, isDirectory: true });
});

test('what would lie below a link that leads nowhere is missing and has no directory above it', async () => {
  const link = path.join(makeDirectory(), 'link');
  symlinkSync('nowhere', link);
  expect((await inspect(path.join(link, 'below'))).target).toMatchObject({
    exists: false,
    isDirectory: false,
  });
});

test('what would lie below a file cannot be used', async () => {
  const file = path.join(makeDirectory(), 'file');
  writeFileSync(file, 'mine');
  await expect(inspect(path.join(file, 'below'))).rejects.toThrow(
    refusal(
      'directory-unusable',
      `--dir ${file}/below cannot be used: not a directory (ENOTDIR); pass another --dir`,
    ),
  );
});

test('a directory without the permission to write is writable for root alone', async () => {
  const directory = path.join(makeDirectory(), 'read-only');
  mkdirSync(directory);
  chmodSync(directory, 0o500);
  expect((await inspect(directory)).target.writable).toBe(asRoot);
});

testOnLinux('/dev/shm is a tmpfs of its own, with no more room than the machine has memory', async () => {
  const { target } = await inspect('/dev/shm');
  expect(target).toMatchObject({ filesystem: 'tmpfs', mount: '/dev/shm' });
  expect(target.availableBytes).toBeLessThanOrEqual(os.totalmem());
});

testOnLinux('/proc is the innermost mount around /proc/self/fd', async () => {
  expect((await inspect('/proc/self/fd')).target).toMatchObject({ filesystem: 'proc', mount: '/proc' });
});

testOnLinux('df, which is asked where there is no mountinfo, agrees with it on the root', async () => {
  const { target } = await inspect('/');
  expect(await mountsOfDf()).toContainEqual(
    expect.objectContaining({ path: '/', filesystem: target.filesystem }),
  );
});

describe('a tmpfs that is larger than the memory', () => {
  beforeEach(needs('root', 'mount', 'umount'));

  test('has no more room than the machine has memory left', async () => {
    const directory = mountTmpfs('size=100t');
    const { target } = await inspect(directory);
    expect(target).toMatchObject({ filesystem: 'tmpfs', mount: directory });
    expect(target.totalBytes).toBeGreaterThan(os.totalmem());
    expect(target.availableBytes).toBeLessThanOrEqual(os.totalmem());
  });
});

const LIMIT_BYTES = 512 * MIB;
const cgroup = path.join('/sys/fs/cgroup/memory', `gobonnie-test-${process.pid}`);

/** Only root can limit its own memory, and only where the old cgroups are mounted; no CI can be asked for that. */
function canLimitMemory(): boolean {
  try {
    mkdirSync(cgroup);
    rmdirSync(cgroup);
    return true;
  } catch {
    return false;
  }
}

test.runIf(asRoot && canLimitMemory())(
  "in a container the container's limit is the memory, and the room of a tmpfs",
  () => {
    mkdirSync(cgroup);
    onTestFinished(() => rmdirSync(cgroup));
    writeFileSync(path.join(cgroup, 'memory.limit_in_bytes'), String(LIMIT_BYTES));
    const module = fileURLToPath(new URL('../dist/src/machine.js', import.meta.url));
    const script = `import(${JSON.stringify(module)}).then(async ({ inspect }) => console.log(JSON.stringify(await inspect('/dev/shm'))))`;
    const enter = 'echo $$ > "$1/cgroup.procs" && exec "$2" --eval "$3"';
    const output = execFileSync('sh', ['-c', enter, 'sh', cgroup, process.execPath, script], {
      encoding: 'utf8',
    });
    const { memoryBytes, memoryLimitBytes, target } = JSON.parse(output);
    expect(memoryBytes).toBe(os.totalmem());
    expect(memoryLimitBytes).toBe(LIMIT_BYTES);
    expect(target.availableBytes).toBeLessThan(LIMIT_BYTES);
  },
);
