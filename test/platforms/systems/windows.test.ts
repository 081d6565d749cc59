import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hasCode } from '../../../src/system-error.js';
import { DOCUMENT_KEYS } from '../../support/data/gobonniego.js';
import { mountTmpfs } from '../../support/disks/mounts.js';
import { useWine } from '../../support/platforms/wine.js';
import type { ExitResult } from '../../support/programs/program.js';
import { readReportFile } from '../../support/programs/read-report-file.js';
import { omitFlagsWithoutEffect } from '../../support/programs/small-run.js';
import { requireTools } from '../../support/tools.js';

const SMALL = ['--size', '2M', '--threads', '1', '--iops-duration', '0.05'];
const QUIET = [...SMALL, '--quiet'];
const TREES = ['--phases', 'create,stat,delete,create-random', '--files', '20', '--directories', '2'];
/** Matches commands and paths that Windows does not have. */
const FOREIGN =
  /\bsudo\b|\bas root\b|only root|\bulimit\b|\bdmesg\b|`df|\bdd\b|\/proc|\/dev\/|\/mnt\/|\n +at /;
const WAIT_OPTIONS = { timeout: 60_000, interval: 2 };
const LONG_NAME = 'l'.repeat(180);

const wine = useWine();
const { c } = wine;

/** No run may leave files in its directory. */
afterEach(() => {
  expect(wine.listFiles('data')).toEqual([]);
});

/** Runs gobonnie until it exits; throws if its output names something that Windows does not have. */
async function gobonnie(...args: readonly string[]): Promise<ExitResult> {
  const result = await wine.start(omitFlagsWithoutEffect(args)).exitResult;
  expect(result.stdout + result.stderr).not.toMatch(FOREIGN);
  return result;
}

describe('a run', () => {
  test('measures in the temporary directory of Windows by default, and warns about the page cache', async () => {
    const { stdout, stderr, exitCode } = await gobonnie(...SMALL);
    expect(stdout).toMatch(/^Sequential Write MB\/s: [\d.]+\nSequential Read MB\/s: [\d.]+\nIOPS: \d+\n$/);
    expect(stderr).toContain('the page cache was not dropped (programs cannot drop it on Windows)');
    expect(stderr).toContain('pass --direct');
    expect(stderr).toMatch(/warning: Sequential Read: .*; the device's share of it is unknown .*; IOPS: /);
    expect(exitCode).toBe(0);
  });

  test('supports --direct and --verify, and writes a JSON report', async () => {
    const { stdout, stderr, exitCode } = await gobonnie(
      ...[...QUIET, '--direct', '--verify', '--io-size', '4k', '--json', '--out', 'C:\\out\\a.json'],
    );
    expect(Object.keys(JSON.parse(stdout))).toEqual(DOCUMENT_KEYS);
    const report = readReportFile(path.join(c, 'out/a.json'));
    expect(report).toMatchObject({
      outcome: { state: 'completed' },
      machine: { platform: 'win32' },
      options: { direct: true, verify: true },
    });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  });

  test('writes reports in several formats, and compare reads their rates', async () => {
    const out = ['a.json', 'b.csv', 'c ä.html'].flatMap((name) => ['--out', `C:\\out\\${name}`]);
    const { exitCode } = await gobonnie(...QUIET, '--direct', ...out);
    expect(exitCode).toBe(0);
    expect(readFileSync(path.join(c, 'out/b.csv'), 'utf8')).toContain('write');
    expect(readFileSync(path.join(c, 'out/c ä.html'), 'utf8')).toContain('</html>');
    const comparison = await gobonnie('compare', 'C:\\out\\a.json', 'C:/out/a.json');
    expect(comparison.stdout).toContain('write');
    expect(comparison.exitCode).toBe(0);
  });

  test('creates, stats and deletes small files, and syncs them if Windows can', async () => {
    const { stdout, stderr, exitCode } = await gobonnie(...QUIET, ...TREES, '--fsync-per-write');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(
      /Create ops\/s: \d+\n.*Stat ops\/s: \d+\n.*Delete ops\/s: \d+\n.*Create ops\/s: \d+\n/,
    );
  });

  test('of gobonnie bonnie++ prints a CSV line with all columns', async () => {
    const { stdout, exitCode } = await gobonnie(
      ...['bonnie++', '-d', 'C:\\data', '-f', '-s', '16', '-r', '0', '-n', '1', '-q'],
    );
    expect(stdout).toMatch(/^1\.98,[^\n]+,\d+[mu]s\n$/);
    expect(exitCode).toBe(0);
  });
});

describe('gobonnie leaves nothing in a directory if', () => {
  test.each([
    ['its name has spaces, umlauts and Japanese letters', 'data/ä ö/日本 語', 'C:/data/ä ö/日本 語'],
    [
      'its path has more than 500 letters',
      `data${`/${LONG_NAME}`.repeat(3)}`,
      `C:\\data${`\\${LONG_NAME}`.repeat(3)}`,
    ],
    ['it is relative to the current directory of the drive', 'data/deep/down', 'C:deep\\down'],
    ['its path has the prefix for literal paths', 'data/literal', '\\\\?\\C:\\data\\literal'],
  ])('%s', async (_, created, dir) => {
    mkdirSync(path.join(c, created), { recursive: true });
    const { stdout, stderr, exitCode } = await gobonnie(
      ...[...QUIET, '--dir', dir, '--phases', 'write,read,create,delete', '--files', '3'],
    );
    expect(stdout).toMatch(/Delete ops\/s: \d+\n$/);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(readdirSync(path.join(c, created))).toEqual([]);
    for (const name of readdirSync(path.join(c, 'data')))
      rmSync(path.join(c, 'data', name), { recursive: true });
  });
});

describe('gobonnie rejects in one line', () => {
  test.each([
    [
      'a server without a share',
      ['--dir', '\\\\server'],
      '--dir \\\\server cannot be used: the server name needs a share name after it',
    ],
    ['a drive that does not exist', ['--dir', 'Q:\\some\\where'], '--dir Q:\\some\\where does not exist; '],
    [
      'a directory that is a device',
      ['--dir', 'C:\\data\\NUL'],
      '--dir C:\\data\\NUL cannot be used: Windows does not allow the name NUL',
    ],
    [
      'a report in a stream',
      ['--out', 'ab:c.json'],
      '--out ab:c.json cannot be written: Windows does not allow the name ab:c.json',
    ],
    ['a report on a missing drive', ['--out', 'Q:x.json'], '--out Q:x.json cannot be written: '],
    [
      'zones of a device',
      ['zones', '\\\\.\\PhysicalDrive0'],
      '\\\\.\\PhysicalDrive0 is a device; name a file: zones reads devices only on Linux and macOS',
    ],
    ['--cache drop', ['--cache', 'drop'], '--cache drop does not work on Windows; '],
    [
      'a user for bonnie++',
      ['bonnie++', '-u', 'nobody'],
      '-u nobody is not supported on this system; leave it out',
    ],
  ])('%s', async (_, args, line) => {
    const { stdout, stderr, exitCode } = await gobonnie(...args);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(`gobonnie: ${line}`);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  });
});

describe('a killed run', () => {
  const data = path.join(c, 'data');

  test('leaves no files after its watcher cleans up, and clean removes leftovers without a watcher', async () => {
    const phases = '--phases write,create,stat,iops --files 20 --iops-duration 600'.split(' ');
    const args = ['--dir', 'C:\\data', '--size', '2M', '--threads', '2', ...phases, '-v'];
    const { child, exitResult } = wine.start(args);
    const scratch = await wine.untilFirstEntry(data);
    await vi.waitUntil(() => existsSync(path.join(scratch, 'tree.1')), WAIT_OPTIONS);
    const copy = path.join(c, 'copy');
    cpSync(scratch, copy, { recursive: true });
    child.kill('SIGKILL');
    expect(await exitResult).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    await vi.waitUntil(() => readdirSync(data).length === 0, WAIT_OPTIONS);

    cpSync(copy, scratch, { recursive: true });
    const dry = await gobonnie('clean', '--dry-run', 'C:\\data');
    expect(dry.stdout + dry.stderr).toContain(path.basename(scratch));
    expect(readdirSync(data)).toHaveLength(1);
    const { exitCode } = await gobonnie('clean', 'C:\\data');
    expect(exitCode).toBe(0);
  });
});

const BLOCK = Buffer.alloc(64 * 1024);

/** Appends to the file until its filesystem is full. */
function fillDisk(file: string): void {
  try {
    while (true) writeFileSync(file, BLOCK, { flag: 'a' });
  } catch (error) {
    if (!hasCode(error, 'ENOSPC')) throw error;
  }
}

describe('a small drive', () => {
  beforeEach(requireTools('root', 'mount'));

  /** Mounts drive E: and returns its path on this system. */
  function mountDriveE(options: string): string {
    const drive = mountTmpfs(options);
    wine.mountDrive('E', drive);
    return drive;
  }

  test('that another program fills ends the run with one error line and no leftover files', async () => {
    const drive = mountDriveE('size=16m');
    const flags = '--size 8M --threads 1 --seconds 600 --iops-duration 0.05 -q'.split(' ');
    const { exitResult } = wine.start(['E:\\', ...flags]);
    const scratch = await wine.untilFirstEntry(drive);
    await vi.waitUntil(() => existsSync(path.join(scratch, 'bonnie.0')), WAIT_OPTIONS);
    fillDisk(path.join(drive, 'other'));
    const { stderr, exitCode } = await exitResult;
    expect(stderr).toMatch(
      /^gobonnie: [^\n]+; free some space, pass a smaller --size, or measure another directory\n$/,
    );
    expect(exitCode).toBe(1);
    expect(readdirSync(drive)).toEqual(['other']);
  });
});

test('the help and the explanations have commands that a Windows user can paste', async () => {
  const help = await wine.start(['--help']).exitResult;
  expect(help.stdout).toContain('--expect "write>=200MB/s"');
  expect((await wine.start(['explain', '1']).exitResult).stdout).toMatch(
    /^exit code 1: the command failed\n/,
  );
});
