import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seededRandom } from '../../support/data/seeded-random.js';
import { listDirectory, useTemporaryDirectory } from '../../support/disks/temporary-directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { ENTRY, startProcess } from '../../support/programs/program.js';
import { ROOT } from '../../support/root.js';
import { requireNobody } from '../../support/tools.js';
import { CaseTally } from '../case-tally.js';
import { type CommandOutput, hasControlCharacters, rejectionViolations } from '../output-violations.js';
import { splitWords } from '../split-words.js';
import { concatenatedFiles } from './concatenated.js';
import { corruptFields } from './corrupt-fields.js';
import { type CorruptFile, corruptBytes } from './corrupt-file.js';
import { corruptJson } from './corrupt-json.js';
import { hostileFiles } from './hostile-files.js';
import { outOfRangeFiles } from './out-of-range.js';
import { OVERSIZED_FILES } from './oversized.js';
import { renderingViolations } from './rendering-violations.js';
import { FORMATS, measureSampleFiles, SAMPLE_FILES, type SampleFile } from './sample-files.js';

const SEED = 20_180_412;
const TIMES = 12;
const FILE = 'damaged';
const FAILURE = 1;
const USAGE = 2;
/** Far less than the machine's RAM. */
const HEAP = '--max-old-space-size=512';
const TOO_LARGE = 65 * 1024 ** 2;

useTemporaryDirectory();

const random = seededRandom(SEED);
const tally = new CaseTally('damaged reports', 'files', SEED);
const describeFile = ({ name, outcome }: Pick<CorruptFile, 'name' | 'outcome'>) => `${name} (${outcome})`;

/** Decodes UTF-16, which begins with a byte order mark, or UTF-8. */
function decode(content: Buffer): string {
  return content.toString(content.indexOf('\uFEFF', 0, 'utf16le') === 0 ? 'utf16le' : 'utf8');
}

async function showViolations({ content, outcome }: CorruptFile): Promise<readonly string[]> {
  writeFileSync(FILE, content);
  const before = listDirectory();
  const violations =
    outcome === 'rejected'
      ? namedRejectionViolations(await runInProcess(['show', FILE]))
      : await allFormatViolations(decode(Buffer.from(content)));
  return listDirectory() === before ? violations : [...violations, 'the directory changed'];
}

/** The message must be one line that names the file and the problem. */
function namedRejectionViolations(output: CommandOutput, name = FILE): readonly string[] {
  const isNamed = [' cannot be read: ', ', line ', ' holds '].some((words) =>
    output.stderr.startsWith(`gobonnie: ${name}${words}`),
  );
  const violations = rejectionViolations(output, FAILURE);
  return isNamed ? violations : [...violations, `the message does not name ${name}`];
}

/** gobonnie must show a whole file as text, and in every other format that can represent it. */
async function allFormatViolations(content: string): Promise<readonly string[]> {
  const violations: string[] = [];
  for (const format of FORMATS) {
    const output = await runInProcess(['show', FILE, '--format', format]);
    if (output.exitCode === 0)
      violations.push(...renderingViolations(format, output.stdout, content), ...unexpectedMessages(output));
    else if (format === 'text') violations.push(`exit ${output.exitCode}`, ...unexpectedMessages(output));
    else violations.push(...rejectionViolations(output, output.exitCode === FAILURE ? FAILURE : USAGE));
  }
  return violations;
}

/** Returns the lines of stderr that are not warnings of the report. */
const unexpectedMessages = ({ stderr }: CommandOutput) => {
  const others = stderr.split('\n').filter((line) => line !== '' && !line.includes(': warning: '));
  const violations = others.map((line) => `message: ${line.slice(0, 300)}`);
  if (hasControlCharacters(stderr)) violations.push('a warning has control characters');
  return violations;
};

test('an intact file is shown in every format that can represent it; other formats reject it in one line', async () => {
  for (const { name, text, formats } of [...SAMPLE_FILES, ...(await measureSampleFiles())]) {
    writeFileSync(FILE, text);
    for (const format of FORMATS) {
      const output = await runInProcess(['show', FILE, '--format', format]);
      const isSupported = formats.includes(format);
      const violations = isSupported
        ? [...renderingViolations(format, output.stdout, text), ...unexpectedMessages(output)]
        : rejectionViolations(output, USAGE);
      expect({ name, format, exitCode: output.exitCode, violations }).toEqual({
        name,
        format,
        exitCode: isSupported ? 0 : USAGE,
        violations: [],
      });
    }
  }
});

describe('a damaged file is rejected in one line that names it, or shown if it is still whole:', () => {
  test.each<[string, () => readonly CorruptFile[]]>([
    [
      'bytes removed, doubled or changed',
      () => SAMPLE_FILES.flatMap((sample) => corruptBytes(random, sample)),
    ],
    [
      'other values, keys or brackets in JSON',
      () => SAMPLE_FILES.filter(isJson).flatMap((sample) => corruptJson(random, sample, TIMES)),
    ],
    [
      'other fields in a row',
      () =>
        SAMPLE_FILES.filter((sample) => !isJson(sample)).flatMap((sample) => corruptFields(random, sample)),
    ],
    ['impossible numbers', () => outOfRangeFiles(SAMPLE_FILES)],
    ['names that a terminal, browser or spreadsheet would execute', () => SAMPLE_FILES.flatMap(hostileFiles)],
    ['no results, or several results', () => concatenatedFiles(SAMPLE_FILES)],
  ])('%s', async (_, make) => {
    await tally.run(make(), describeFile, showViolations);
  });
});

function isJson({ kind }: SampleFile): boolean {
  return kind === 'report' || kind === 'document';
}

test('no damaged file changes the prototype of objects', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect('polluted' in {}).toBe(false);
});

test('from several files, show prints the intact files and one message for each other file', async () => {
  const whole = SAMPLE_FILES.find(({ kind }) => kind === 'row')?.text ?? '';
  writeFileSync('whole', whole);
  writeFileSync('truncated', whole.slice(0, 60));
  const { stdout: alone } = await runInProcess(['show', 'whole']);
  for (const files of ['truncated whole missing', 'missing truncated whole', 'whole truncated truncated']) {
    const { stdout, stderr, exitCode } = await runInProcess(['show', ...files.split(' ')]);
    expect({ stdout, exitCode }).toEqual({ stdout: alone, exitCode: FAILURE });
    expect(stderr).toMatch(
      /^(?:gobonnie: (?:truncated, line 1|missing) cannot be read: [^\n]+; [^\n]+\n){2}$/,
    );
  }
});

describe('a path that is not a results file', () => {
  /** Quotes a name as messages do. */
  const quote = (name: string) =>
    JSON.stringify(name).replace(
      /[\u007f-\u009f\u061c\u202e]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

  beforeAll(() => {
    mkdirSync('directory');
    execFileSync('mkfifo', ['fifo']);
    symlinkSync('loop', 'loop');
    symlinkSync('nowhere', 'dangling');
    symlinkSync('/dev/zero', 'zero');
    writeFileSync('large', '');
    truncateSync('large', TOO_LARGE);
    writeFileSync('closed', '{}');
    chmodSync('closed', 0o000);
  });

  test('is rejected at once, with its name escaped', async () => {
    const plain = splitWords('directory fifo loop dangling zero large missing directory/below large/below');
    const strange = splitWords('\u001b[2J \u009bm \u202egnp.exe \u061c a\nb a\0b \0\u202e "');
    const cases = [
      ...plain.map((name) => ({ name, shownName: name })),
      ...strange.map((name) => ({ name, shownName: quote(name) })),
      { name: '', shownName: '""' },
    ];
    await tally.run(
      cases,
      ({ shownName }) => shownName,
      async ({ name, shownName }) => namedRejectionViolations(await runInProcess(['show', name]), shownName),
    );
  });

  test('is rejected by the built program even if its data never ends', async () => {
    const streams = ['/dev/zero', '/dev/urandom'].map((device) => ({ name: `${device} on stdin`, device }));
    await tally.run(
      streams,
      ({ name }) => name,
      async ({ device }) => {
        const script = `exec "$0" ${HEAP} "$1" show - < ${device}`;
        return namedRejectionViolations(
          await startProcess('sh', ['-c', script, process.execPath, ENTRY]).exitResult,
          'stdin',
        );
      },
    );
  });

  describe('for nobody', () => {
    beforeEach(requireNobody);

    test('is rejected if only root can read it', async () => {
      // NOBODY may read every file, because the project may be in a directory of root.
      const as = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
      for (const part of ['bin', 'dist', 'package.json'])
        cpSync(path.join(ROOT, part), part, { recursive: true });
      chmodSync('.', 0o755);
      const output = await startProcess(process.execPath, ['bin/gobonnie.cjs', 'show', 'closed'], { as })
        .exitResult;
      expect(output.stderr).toContain('permission denied');
      expect(namedRejectionViolations(output, 'closed')).toEqual([]);
    });
  });
});

describe('a file that would be far larger in RAM is rejected or shown with a small heap:', () => {
  test.each(OVERSIZED_FILES.map((file) => [file.name, file] as const))('%s', async (_, file) => {
    writeFileSync(FILE, file.make(SAMPLE_FILES.find(({ kind }) => kind === 'report')?.text ?? ''));
    await tally.run([file], describeFile, async ({ outcome, reason }) => {
      const output = await startProcess(process.execPath, [HEAP, ENTRY, 'show', FILE]).exitResult;
      if (outcome === 'shown')
        return [...renderingViolations('text', output.stdout, ''), ...unexpectedMessages(output)];
      const violations = namedRejectionViolations(output);
      if (output.stderr.includes(reason)) return violations;
      return [...violations, `another reason than ${reason}`, ...unexpectedMessages(output)];
    });
  });
});

test('enough cases ran', () => {
  tally.assertMinimum();
});
