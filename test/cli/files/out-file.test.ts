import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openOutFile } from '../../../src/cli/files/out-file.js';
import { GobonnieError } from '../../../src/errors.js';
import { makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { mountTmpfs } from '../../support/disks/mounts.js';
import { runGobonnie } from '../../support/programs/program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { NOBODY, requireNobody, requireTools } from '../../support/tools.js';

const MIB = 1024 ** 2;
const NO_SPACE =
  /^--out \S+ could not be written: [^;]+ \(ENOSPC\); free some space there, or pass a path on another filesystem$/;

async function errorOf(work: Promise<unknown>): Promise<GobonnieError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof GobonnieError) return error;
  throw new Error('no GobonnieError was thrown', { cause: error });
}

function modeOf(file: string): string {
  return (statSync(file).mode & 0o7777).toString(8);
}

function reportIn(dir: string, content?: string): string {
  const file = path.join(dir, 'report.json');
  if (content !== undefined) writeFileSync(file, content);
  return file;
}

/** Returns the contents of the file at each later sync of any file. */
async function recordSyncs(method: 'sync' | 'datasync', file: string): Promise<readonly string[]> {
  const contents: string[] = [];
  const handle = await open(file);
  const spy = vi.spyOn(Object.getPrototypeOf(handle), method).mockImplementation(async () => {
    contents.push(readFileSync(file, 'utf8'));
  });
  onTestFinished(() => spy.mockRestore());
  await handle.close();
  return contents;
}

describe('openOutFile', () => {
  test('changes neither an existing report nor its directory', async () => {
    const dir = makeDirectory();
    const file = reportIn(dir, 'old');
    const before = statSync(file);
    expect((await openOutFile(file)).path).toBe(file);
    await openOutFile(path.join(dir, 'new.json'));
    const { ino, mtimeMs, ctimeMs } = statSync(file);
    expect([ino, mtimeMs, ctimeMs]).toEqual([before.ino, before.mtimeMs, before.ctimeMs]);
    expect(readdirSync(dir)).toEqual(['report.json']);
  });

  const IRREGULAR = /^it is not a regular file; pass the path of a file that you can write to$/;

  test.each([
    ['a directory', (file: string) => mkdirSync(file), '', IRREGULAR],
    ['the path of a missing directory', () => {}, '/', IRREGULAR],
    ['a FIFO, without waiting for a reader', (file: string) => execFileSync('mkfifo', [file]), '', IRREGULAR],
    ['a link to a device', (file: string) => symlinkSync('/dev/null', file), '', IRREGULAR],
    ['a link to itself', (file: string) => symlinkSync('out', file), '', /\(ELOOP\)/],
    ['a missing directory', () => {}, '/report.json', /\(ENOENT\); pass a path in an existing directory$/],
  ])('rejects %s and changes nothing', async (_, create, rest, reason) => {
    const dir = makeDirectory();
    create(path.join(dir, 'out'));
    const before = readdirSync(dir);
    const file = path.join(dir, 'out') + rest;
    const error = await errorOf(openOutFile(file));
    const start = `--out ${file} cannot be written: `;
    expect(error.kind).toBe('usage');
    expect(error.line.slice(0, start.length)).toBe(start);
    expect(error.line.slice(start.length)).toMatch(reason);
    expect(readdirSync(dir)).toEqual(before);
  });
});

describe('openOutFile as root', () => {
  beforeEach(requireTools('root'));

  test('rejects a link that another user has created', async () => {
    const link = path.join(makeDirectory(), 'link');
    const victim = reportIn(makeDirectory(), 'mine');
    symlinkSync(victim, link);
    lchownSync(link, 65534, 65534);
    expect((await errorOf(openOutFile(link))).line).toBe(
      `--out ${link} cannot be written: ${link} is a link that another user has created; pass the path that it points to`,
    );
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });
});

test.for([
  [makeDirectory, null, /^gobonnie: --out \S+ cannot be written: [^;]+ \(EACCES\); pass the path of a file /],
  [makePublicDirectory, 0o644, /^gobonnie: --out \S+ cannot be written: [^;]+ \(EACCES\); pass the path /],
  [makePublicDirectory, 0o666, /^$/],
] as const)(
  'another user needs the right to write the file, even if they could replace it: %o %o',
  async ([create, mode, line], context) => {
    requireNobody(context);
    const file = reportIn(create(), mode === null ? undefined : 'old');
    if (mode !== null) chmodSync(file, mode);
    const args = ['-q', '--dir', makePublicDirectory(), ...SMALL_FLAGS, '--out', file];
    expect((await runGobonnie(args, NOBODY)).stderr).toMatch(line);
  },
);

describe('OutFile.write', () => {
  test('creates the file, replaces it by a shorter file, and leaves no other file', async () => {
    const dir = makeDirectory();
    const name = 'x'.repeat(255);
    const out = await openOutFile(path.join(dir, name));
    for (const text of ['größe '.repeat(100_000), 'short', '']) {
      await out.write(text);
      expect(readFileSync(out.path, 'utf8') === text).toBe(true);
      expect(readdirSync(dir)).toEqual([name]);
    }
  });

  test('syncs the text before it replaces the file, and then the directory', async () => {
    const out = await openOutFile(reportIn(makeDirectory(), 'old'));
    const contents = await recordSyncs('sync', out.path);
    await out.write('new');
    expect(contents).toEqual(['old', 'new']);
  });

  test.each(['old', undefined])(
    'follows links to the file, which remain links (content: %s)',
    async (old) => {
      const dir = makeDirectory();
      const target = path.join(dir, 'parent/target');
      mkdirSync(target, { recursive: true });
      symlinkSync('parent/target', path.join(dir, 'directory'));
      const link = path.join(dir, 'link');
      symlinkSync('directory/../target/report.json', link);
      const real = reportIn(target, old);
      await (await openOutFile(link)).write('new');
      expect(readlinkSync(link)).toBe('directory/../target/report.json');
      expect(lstatSync(real).isFile()).toBe(true);
      expect(readFileSync(real, 'utf8')).toBe('new');
      expect(readdirSync(dir).toSorted()).toEqual(['directory', 'link', 'parent']);
      expect(readdirSync(target)).toEqual(['report.json']);
    },
  );

  test('replaces a link that was planted after the file was opened, without copying its mode', async () => {
    const victim = reportIn(makeDirectory(), 'mine');
    chmodSync(victim, 0o666);
    const out = await openOutFile(reportIn(makeDirectory()));
    symlinkSync(victim, out.path);
    await out.write('new');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(lstatSync(out.path).isFile()).toBe(true);
    expect(statSync(out.path).mode & 0o022 & process.umask()).toBe(0);
  });

  test.each(['600', '444'])('keeps the mode %s', async (mode) => {
    const file = reportIn(makeDirectory(), 'old');
    const out = await openOutFile(file);
    chmodSync(file, mode);
    await out.write('new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(modeOf(file)).toBe(mode);
  });

  test('gives the temporary file of a file with mode 600 the same mode from the start', async () => {
    const file = reportIn(makeDirectory(), 'old');
    chmodSync(file, 0o600);
    let temporary = '';
    const out = await openOutFile(file, (name) => {
      temporary = name;
    });
    const written = out.write('new '.repeat(8 * MIB));
    await vi.waitUntil(() => existsSync(temporary), { interval: 1 });
    expect(modeOf(temporary)).toBe('600');
    await written;
  });
});

describe('OutFile.write as root', () => {
  beforeEach(requireTools('root'));

  test('keeps the owner of the report', async () => {
    const file = reportIn(makeDirectory(), 'old');
    chmodSync(file, 0o600);
    chownSync(file, 65534, 65533);
    await (await openOutFile(file)).write('new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(statSync(file)).toMatchObject({ uid: 65534, gid: 65533 });
    expect(modeOf(file)).toBe('600');
  });

  test('on a full filesystem keeps the old report, leaves no other file, and can succeed later', async () => {
    const dir = mountTmpfs('size=2m');
    const out = await openOutFile(reportIn(dir));
    const old = 'old '.repeat(MIB / 4);
    await out.write(old);
    writeFileSync(path.join(dir, 'other'), 'x'.repeat(MIB / 2));
    const error = await errorOf(out.write('new '.repeat(MIB / 4)));
    expect(error).toMatchObject({ code: 'output-failed', kind: 'failure' });
    expect(error.line).toMatch(NO_SPACE);
    expect(readdirSync(dir).toSorted()).toEqual(['other', 'report.json']);
    expect(readFileSync(out.path, 'utf8') === old).toBe(true);
    truncateSync(path.join(dir, 'other'), 0);
    await out.write('newer');
    expect(readFileSync(out.path, 'utf8')).toBe('newer');
  });
});

describe('OutFile.append', () => {
  test('replaces the file with the first text, then appends', async () => {
    const dir = makeDirectory();
    const file = reportIn(dir, 'old');
    linkSync(file, path.join(dir, 'kept'));
    const out = await openOutFile(file);
    let expected = '';
    for (const text of ['größe\n', '', 'two\n', 'x'.repeat(MIB)]) {
      await out.append(text);
      expected += text;
      expect(readFileSync(file, 'utf8') === expected).toBe(true);
    }
    await out.close();
    expect(readFileSync(path.join(dir, 'kept'), 'utf8')).toBe('old');
    expect(readdirSync(dir)).toEqual(['kept', 'report.json']);
  });

  test('syncs a text on request', async () => {
    const out = await openOutFile(reportIn(makeDirectory(), 'old'));
    const contents = await recordSyncs('datasync', out.path);
    await out.append('one\n');
    await out.append('two\n', true);
    await out.close();
    expect(contents).toEqual(['one\ntwo\n']);
  });

  test('leaves no hole after another program has truncated the file', async () => {
    const out = await openOutFile(reportIn(makeDirectory()));
    await out.append('one\n');
    truncateSync(out.path, 0);
    await out.append('two\n');
    await out.close();
    expect(readFileSync(out.path, 'utf8')).toBe('two\n');
  });

  test('appends no text after an incomplete line on a filesystem that fills up', async (context) => {
    requireTools('root')(context);
    const dir = mountTmpfs('size=1m');
    writeFileSync(path.join(dir, 'other'), 'x'.repeat(MIB / 2));
    const out = await openOutFile(reportIn(dir));
    await out.append('one\n');
    expect((await errorOf(out.append('x'.repeat(2 * MIB)))).line).toMatch(NO_SPACE);
    truncateSync(path.join(dir, 'other'), 0);
    expect((await errorOf(out.append('two\n'))).line).toMatch(NO_SPACE);
    await out.close();
    expect(readFileSync(out.path, 'utf8')).toMatch(/^one\nx+$/);
  });
});
