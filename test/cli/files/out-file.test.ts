import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
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
  rmdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { OutFile } from '../../../src/cli/files/out-file.js';
import { GobonnieError } from '../../../src/errors.js';
import { makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { mountTmpfs } from '../../support/disks/mounts.js';
import { testOnLinux } from '../../support/linux.js';
import {
  type ProgramOptions,
  runGobonnie,
  type StartedProcess,
  startProcess,
} from '../../support/programs/program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { NOBODY, requireNobody, requireTools } from '../../support/tools.js';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const MIB = 1024 ** 2;

/** Runs `source` in a separate process, with `OutFile` and `file` defined. */
function startChild(source: string, file: string, options: ProgramOptions = {}): StartedProcess {
  const preamble = "import { OutFile } from './src/cli/files/out-file.ts'; const file = process.argv[1];\n";
  const args = ['--import', 'tsx', '--input-type=module', '--eval', preamble + source, file];
  return startProcess(process.execPath, args, { ...options, cwd: PROJECT });
}

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

describe('OutFile.open', () => {
  test('does not change an existing report, and leaves no other file', async () => {
    const dir = makeDirectory();
    const file = path.join(dir, 'report.json');
    writeFileSync(file, 'old');
    const before = statSync(file);
    expect((await OutFile.open(file)).path).toBe(file);
    const { ino, mtimeMs, ctimeMs } = statSync(file);
    expect([ino, mtimeMs, ctimeMs]).toEqual([before.ino, before.mtimeMs, before.ctimeMs]);
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(dir)).toEqual(['report.json']);
  });

  test('creates no file', async () => {
    const dir = makeDirectory();
    await OutFile.open(path.join(dir, 'report.json'));
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('OutFile.open rejects', () => {
  const NOT_REGULAR = 'is not a regular file; pass the path of a file';

  async function rejectionOf(file: string): Promise<string> {
    const error = await errorOf(OutFile.open(file));
    expect(error.kind).toBe('usage');
    expect(error.line).not.toContain('--dir');
    return error.line;
  }

  test('a directory', async () => {
    const dir = makeDirectory();
    expect(await rejectionOf(dir)).toBe(`--out ${dir} ${NOT_REGULAR}`);
  });

  test('the path of a missing directory and an empty path', async () => {
    const dir = makeDirectory();
    expect(await rejectionOf(`${dir}/missing/`)).toBe(`--out ${dir}/missing/ ${NOT_REGULAR}`);
    expect(await rejectionOf('')).toBe(`--out "" ${NOT_REGULAR}`);
    expect(readdirSync(dir)).toEqual([]);
  });

  testOnLinux.each(['/dev/full', '/dev/null'])('the device %s', async (device) => {
    expect(await rejectionOf(device)).toBe(`--out ${device} ${NOT_REGULAR}`);
    expect(statSync(device).isCharacterDevice()).toBe(true);
  });

  test('a FIFO without waiting for a reader', async () => {
    const fifo = path.join(makeDirectory(), 'fifo');
    execFileSync('mkfifo', [fifo]);
    expect(await rejectionOf(fifo)).toBe(`--out ${fifo} ${NOT_REGULAR}`);
    expect(statSync(fifo).isFIFO()).toBe(true);
  });

  test('a socket', async () => {
    const socket = path.join(makeDirectory(), 'socket');
    const server = createServer().listen(socket);
    onTestFinished(() => {
      server.close();
    });
    await once(server, 'listening');
    expect(await rejectionOf(socket)).toBe(`--out ${socket} ${NOT_REGULAR}`);
  });

  test('a link to a device', async () => {
    const link = path.join(makeDirectory(), 'link');
    symlinkSync('/dev/full', link);
    expect(await rejectionOf(link)).toBe(`--out ${link} ${NOT_REGULAR}`);
  });

  test('a dangling link without following it', async () => {
    const dir = makeDirectory();
    const link = path.join(dir, 'link');
    symlinkSync('missing', link);
    expect(await rejectionOf(link)).toBe(
      `--out ${link} is a link to a missing file; pass the path of a file`,
    );
    expect(readdirSync(dir)).toEqual(['link']);
  });

  test('a file in a missing directory without creating it', async () => {
    const dir = makeDirectory();
    expect(await rejectionOf(path.join(dir, 'a', 'report.json'))).toMatch(
      / is in a directory that cannot be used: [^;]+ \(ENOENT\); create that directory first, or pass a path in an existing one$/,
    );
    expect(readdirSync(dir)).toEqual([]);
  });

  test('a path through a file', async () => {
    const file = path.join(makeDirectory(), 'file');
    writeFileSync(file, '');
    expect(await rejectionOf(path.join(file, 'report.json'))).toContain('(ENOTDIR); pass the path of a file');
  });

  test('a name that is too long', async () => {
    expect(await rejectionOf(path.join(makeDirectory(), 'x'.repeat(300)))).toContain('(ENAMETOOLONG)');
  });

  testOnLinux('a file in a directory where even root cannot create files', async () => {
    expect(await rejectionOf('/proc/self/report.json')).toContain(
      'is in a directory where no file can be created: ',
    );
  });

  describe('a link that another user could have planted', () => {
    beforeEach(requireTools('root'));

    function createVictim(): { dir: string; victim: string } {
      const dir = makeDirectory();
      const victim = path.join(makeDirectory(), 'report.json');
      writeFileSync(victim, 'mine');
      return { dir, victim };
    }

    const WORDS = 'is a link that another user may have created';

    test.each(['the file', 'a directory in its path'])('as %s', async (position) => {
      const { dir, victim } = createVictim();
      const link = path.join(dir, 'link');
      symlinkSync(position === 'the file' ? victim : path.dirname(victim), link);
      lchownSync(link, 65534, 65534);
      const file = position === 'the file' ? link : path.join(link, 'report.json');
      expect(await rejectionOf(file)).toBe(
        `--out ${file} cannot be written to: ${link} ${WORDS}; pass the path that it points to`,
      );
      expect(readFileSync(victim, 'utf8')).toBe('mine');
    });

    test('as the file, in a directory where other users can replace it', async () => {
      const { dir, victim } = createVictim();
      const link = path.join(dir, 'link');
      symlinkSync(victim, link);
      chmodSync(dir, 0o777);
      expect(await rejectionOf(link)).toContain(`${link} ${WORDS}; `);
    });
  });

  describe('without /proc', () => {
    beforeEach(requireTools('root', 'unshare'));

    test('a file in a directory that other users may change, with a hint to mount /proc', async () => {
      const dir = makeDirectory();
      const open = makePublicDirectory();
      const as = ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$0" "$@"'];
      const file = path.join(open, 'report.json');
      const { stderr, exitCode } = await runGobonnie(['-q', '--dir', dir, ...SMALL_FLAGS, '--out', file], {
        as,
      });
      expect(stderr).toMatch(
        /^gobonnie: --out \S+ is in .*: other users can change \S+, .*; mount \/proc, or pass a directory /,
      );
      expect(exitCode).toBe(2);
      expect(readdirSync(open)).toEqual([]);
    });
  });

  describe('for a user other than root,', () => {
    beforeEach(requireNobody);

    const PRINT_ERROR = 'await OutFile.open(file).catch((error) => console.log(error.kind, error.line));';

    async function rejectionForNobody(file: string): Promise<string> {
      // tsx keeps its cache in the temporary directory.
      const env = { ...NOBODY.env, TMPDIR: makePublicDirectory() };
      return (await startChild(PRINT_ERROR, file, { ...NOBODY, env }).exitResult).stdout;
    }

    test('a file in a directory without write permission', async () => {
      const file = path.join(makeDirectory(), 'report.json');
      expect(await rejectionForNobody(file)).toMatch(
        /^usage --out \S+ is in a directory where no file can be created: [^;]+ \(EACCES\); pass the path of a file that you can write to\n$/,
      );
    });

    test('a file without write permission, even if they could replace it', async () => {
      const file = path.join(makePublicDirectory(), 'report.json');
      writeFileSync(file, 'old', { mode: 0o644 });
      expect(await rejectionForNobody(file)).toMatch(
        /^usage --out \S+ cannot be written to: [^;]+ \(EACCES\); pass/,
      );
    });

    test('but not a file with write permission', async () => {
      const file = path.join(makePublicDirectory(), 'report.json');
      writeFileSync(file, 'old');
      chmodSync(file, 0o666);
      expect(await rejectionForNobody(file)).toBe('');
    });
  });
});

describe('OutFile.write', () => {
  test('creates the file, replaces it by a shorter file, and leaves no other file', async () => {
    const dir = makeDirectory();
    const file = path.join(dir, 'report.json');
    const out = await OutFile.open(file);
    for (const text of ['größe '.repeat(100_000), 'short', '']) {
      await out.write(text);
      expect(readFileSync(file, 'utf8') === text).toBe(true);
      expect(readdirSync(dir)).toEqual(['report.json']);
    }
  });

  test('never changes the file in place: a hard link keeps the old report', async () => {
    const dir = makeDirectory();
    const file = path.join(dir, 'report.json');
    writeFileSync(file, 'old');
    linkSync(file, path.join(dir, 'kept'));
    await (await OutFile.open(file)).write('new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(readFileSync(path.join(dir, 'kept'), 'utf8')).toBe('old');
  });

  test('follows links to the file, which remain links', async () => {
    const dir = makeDirectory();
    mkdirSync(path.join(dir, 'real'));
    const real = path.join(dir, 'real', 'report.json');
    writeFileSync(real, 'old');
    symlinkSync('real', path.join(dir, 'directory'));
    symlinkSync('directory/report.json', path.join(dir, 'link'));
    const out = await OutFile.open(path.join(dir, 'link'));
    await out.write('new');
    expect(readlinkSync(out.path)).toBe('directory/report.json');
    expect(lstatSync(real).isFile()).toBe(true);
    expect(readFileSync(real, 'utf8')).toBe('new');
    expect(readdirSync(dir).toSorted()).toEqual(['directory', 'link', 'real']);
    expect(readdirSync(path.dirname(real))).toEqual(['report.json']);
  });

  test('does not follow a link that was planted after the file was opened', async () => {
    const dir = makeDirectory();
    const victim = path.join(makeDirectory(), 'victim');
    writeFileSync(victim, 'mine');
    const out = await OutFile.open(path.join(dir, 'report.json'));
    symlinkSync(victim, out.path);
    await out.write('new');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(lstatSync(out.path).isFile()).toBe(true);
    expect(readFileSync(out.path, 'utf8')).toBe('new');
  });

  test('and open() never overwrite a planted temporary file', async () => {
    const dir = makeDirectory();
    const victim = path.join(dir, 'victim');
    writeFileSync(victim, 'mine');
    let temporary = '';
    const file = path.join(dir, 'report.json');
    const plant = (name: string) => linkSync(victim, name);
    expect((await errorOf(OutFile.open(file, plant))).line).toContain('(EEXIST)');
    const out = await OutFile.open(file, (name) => {
      temporary = name;
    });
    plant(temporary);
    expect((await errorOf(out.write('new'))).line).toContain('(EEXIST)');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(existsSync(file)).toBe(false);
  });

  test.each(['a device', 'a file'])('replaces a link to %s without copying its mode', async (target) => {
    const theirs = path.join(makeDirectory(), 'theirs');
    writeFileSync(theirs, '');
    chmodSync(theirs, 0o666);
    const out = await OutFile.open(path.join(makeDirectory(), 'report.json'));
    symlinkSync(target === 'a device' ? '/dev/null' : theirs, out.path);
    await out.write('new');
    expect(statSync(out.path).mode & 0o022 & process.umask()).toBe(0);
  });

  describe('after another user has replaced a directory in the path by a link,', () => {
    beforeEach(requireTools('root'));

    test('fails and changes nothing behind the link', async () => {
      const dir = makeDirectory();
      const victim = path.join(makeDirectory(), 'report.json');
      writeFileSync(victim, 'mine');
      mkdirSync(path.join(dir, 'parent'));
      const out = await OutFile.open(path.join(dir, 'parent', 'report.json'));
      rmdirSync(path.join(dir, 'parent'));
      symlinkSync(path.dirname(victim), path.join(dir, 'parent'));
      lchownSync(path.join(dir, 'parent'), 65534, 65534);
      expect((await errorOf(out.write('new'))).line).toMatch(
        /^--out \S+ could not be written: \S+\/parent is a link that another user may have created; /,
      );
      expect(readFileSync(victim, 'utf8')).toBe('mine');
      expect(readdirSync(path.dirname(victim))).toEqual(['report.json']);
    });
  });

  test('accepts a name of 255 characters', async () => {
    const dir = makeDirectory();
    const name = 'x'.repeat(255);
    await (await OutFile.open(path.join(dir, name))).write('new');
    expect(readdirSync(dir)).toEqual([name]);
  });

  test.each(['600', '444', '664'])('keeps the mode %s', async (mode) => {
    const dir = makeDirectory();
    const file = path.join(dir, 'report.json');
    const out = await OutFile.open(file);
    writeFileSync(file, 'old');
    chmodSync(file, mode);
    await out.write('new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(modeOf(file)).toBe(mode);
  });

  test('gives the temporary file of a file with mode 600 the same mode at all times', async () => {
    const file = path.join(makeDirectory(), 'report.json');
    writeFileSync(file, 'old', { mode: 0o600 });
    let temporary = '';
    const out = await OutFile.open(file, (name) => {
      temporary = name;
    });
    const modes = new Set<number>();
    let isDone = false;
    const written = out.write('new '.repeat(8 * MIB)).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const found = statSync(temporary, { throwIfNoEntry: false });
      if (found) modes.add(found.mode & 0o777);
      await setImmediate();
    }
    await written;
    expect([...modes]).toEqual([0o600]);
  });

  test.each([
    ['022', '644'],
    ['077', '600'],
    ['002', '664'],
  ])('with umask %s creates a file of mode %s', async (umask, mode) => {
    const file = path.join(makeDirectory(), 'report.json');
    const source = `process.umask(0o${umask}); await (await OutFile.open(file)).write('new');`;
    expect((await startChild(source, file).exitResult).exitCode).toBe(0);
    expect(modeOf(file)).toBe(mode);
  });

  describe('as root', () => {
    beforeEach(requireTools('root'));

    test('keeps the owner of the report', async () => {
      const file = path.join(makeDirectory(), 'report.json');
      writeFileSync(file, 'old', { mode: 0o600 });
      chownSync(file, 65534, 65533);
      await (await OutFile.open(file)).write('new');
      expect(readFileSync(file, 'utf8')).toBe('new');
      expect(statSync(file)).toMatchObject({ uid: 65534, gid: 65533 });
      expect(modeOf(file)).toBe('600');
    });
  });
});

describe('OutFile.append', () => {
  test('replaces the file with the first text, then appends', async () => {
    const dir = makeDirectory();
    const file = path.join(dir, 'events.ndjson');
    writeFileSync(file, 'old');
    linkSync(file, path.join(dir, 'kept'));
    const out = await OutFile.open(file);
    let expected = '';
    for (const text of ['größe\n', '', 'two\n', 'x'.repeat(MIB)]) {
      await out.append(text, text === 'two\n');
      expected += text;
      expect(readFileSync(file, 'utf8') === expected).toBe(true);
    }
    await out.close();
    expect(readFileSync(path.join(dir, 'kept'), 'utf8')).toBe('old');
    expect(readdirSync(dir)).toEqual(['events.ndjson', 'kept']);
  });

  test('leaves no hole after another program has truncated the file', async () => {
    const out = await OutFile.open(path.join(makeDirectory(), 'events.ndjson'));
    await out.append('one\n');
    truncateSync(out.path, 0);
    await out.append('two\n');
    await out.close();
    expect(readFileSync(out.path, 'utf8')).toBe('two\n');
  });

  test('does not follow a link that was planted after the file was opened', async () => {
    const dir = makeDirectory();
    const victim = path.join(makeDirectory(), 'victim');
    writeFileSync(victim, 'mine');
    const out = await OutFile.open(path.join(dir, 'events.ndjson'));
    symlinkSync(victim, out.path);
    await out.append('one\n');
    await out.close();
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(readFileSync(out.path, 'utf8')).toBe('one\n');
  });

  test('does not create a file before the first text', async () => {
    const out = await OutFile.open(path.join(makeDirectory(), 'events.ndjson'));
    await out.close();
    expect(existsSync(out.path)).toBe(false);
  });

  test.each(['600', '664'])('keeps the mode %s', async (mode) => {
    const file = path.join(makeDirectory(), 'events.ndjson');
    writeFileSync(file, 'old');
    chmodSync(file, mode);
    const out = await OutFile.open(file);
    await out.append('new');
    await out.close();
    expect(modeOf(file)).toBe(mode);
  });

  describe('on a filesystem that fills up,', () => {
    beforeEach(requireTools('root'));

    test('fails once, and appends no text after an incomplete line', async () => {
      const dir = mountTmpfs('size=1m');
      const out = await OutFile.open(path.join(dir, 'events.ndjson'));
      await out.append('one\n');
      expect((await errorOf(out.append('x'.repeat(2 * MIB)))).line).toMatch(
        /^--out \S+ could not be written: [^;]+ \(ENOSPC\); free some space there, or pass a path on another filesystem$/,
      );
      await out.append('two\n');
      await out.close();
      expect(readFileSync(out.path, 'utf8')).toMatch(/^one\nx+$/);
    });
  });
});

describe('a failed write', () => {
  beforeEach(requireTools('root'));

  test('on a full filesystem keeps the old report, leaves no other file, and a later write can succeed', async () => {
    const dir = mountTmpfs('size=2m');
    const file = path.join(dir, 'report.json');
    const out = await OutFile.open(file);
    const old = 'old '.repeat(MIB / 4);
    await out.write(old);
    writeFileSync(path.join(dir, 'other'), 'x'.repeat(MIB / 2));
    const error = await errorOf(out.write('new '.repeat(MIB / 4)));
    expect(error).toMatchObject({ code: 'output-failed', kind: 'failure' });
    expect(error.line).toMatch(
      /^--out \S+ could not be written: [^;]+ \(ENOSPC\); free some space there, or pass a path on another filesystem$/,
    );
    expect(readdirSync(dir).toSorted()).toEqual(['other', 'report.json']);
    expect(readFileSync(file, 'utf8') === old).toBe(true);
    truncateSync(path.join(dir, 'other'), 0);
    await out.write('newer');
    expect(readFileSync(file, 'utf8')).toBe('newer');
  });

  test('for lack of inodes keeps the old report', async () => {
    const dir = mountTmpfs('size=2m,nr_inodes=2');
    const out = await OutFile.open(path.join(dir, 'report.json'));
    writeFileSync(out.path, 'old');
    expect((await errorOf(out.write('new'))).line).toContain('(ENOSPC)');
    expect(readFileSync(out.path, 'utf8')).toBe('old');
    expect(readdirSync(dir)).toEqual(['report.json']);
  });
});

test('a write reports a directory in place of the file, and leaves no other file', async () => {
  const dir = makeDirectory();
  const out = await OutFile.open(path.join(dir, 'report.json'));
  mkdirSync(out.path);
  const error = await errorOf(out.write('new'));
  expect(error).toMatchObject({ code: 'output-failed', hint: 'pass a path elsewhere' });
  expect(error.message).toContain('(EISDIR)');
  expect(readdirSync(dir)).toEqual(['report.json']);
});

test('a write reports a removed directory, and does not create it again', async () => {
  const dir = path.join(makeDirectory(), 'gone');
  mkdirSync(dir);
  const out = await OutFile.open(path.join(dir, 'report.json'));
  rmdirSync(dir);
  expect((await errorOf(out.write('new'))).line).toContain('(ENOENT)');
  expect(existsSync(dir)).toBe(false);
});

test('a name may contain control characters, which messages escape', async () => {
  const dir = makeDirectory();
  const name = 'a b\n\u001b[31mc';
  const out = await OutFile.open(path.join(dir, name));
  await out.write('new');
  expect(readdirSync(dir)).toEqual([name]);
  mkdirSync(path.join(dir, `${name}d`));
  const rejected = await errorOf(OutFile.open(path.join(dir, `${name}d`)));
  const missing = await errorOf(OutFile.open(path.join(dir, `${name}e`, 'f')));
  for (const { line } of [rejected, missing]) {
    expect(line).toContain('/a b\\n\\u001b[31mc');
    expect(line).not.toMatch(/\p{Cc}/u);
  }
});

test('kill -9 at any moment leaves a complete report', async () => {
  const dir = makeDirectory();
  const file = path.join(dir, 'report.json');
  const texts = ['a', 'b'].map((letter) => letter.repeat(8 * MIB));
  const source = `
    const out = await OutFile.open(file);
    const texts = ['a', 'b'].map((letter) => letter.repeat(${8 * MIB}));
    for (let round = 0; ; round++) {
      await out.write(texts[round % 2]);
      if (round === 1) console.log('writing');
    }`;
  for (let kills = 0; kills < 10; kills++) {
    const { child, exitResult } = startChild(source, file);
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    if (child.stdout) await Promise.race([once(child.stdout, 'data'), exitResult]);
    await wait(Math.random() * 50);
    child.kill('SIGKILL');
    expect((await exitResult).signal).toBe('SIGKILL');
    const found = readFileSync(file, 'utf8');
    expect(texts.some((text) => text === found)).toBe(true);
  }
  const out = await OutFile.open(file);
  await out.write('new');
  expect(readFileSync(file, 'utf8')).toBe('new');
});
