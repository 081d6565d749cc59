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
/** Far less than the machine has. */
const HEAP = '--max-old-space-size=512';
const TOO_LARGE = 65 * 1024 ** 2;

useTemporaryDirectory();

const random = seededRandom(SEED);
const tally = new CaseTally('damaged reports', 'files', SEED);
const describeFile = ({ name, verdict }: Pick<CorruptFile, 'name' | 'verdict'>) => `${name} (${verdict})`;

/** UTF-16 begins with a mark. */
function decode(content: Buffer): string {
  return content.toString(content.indexOf('\uFEFF', 0, 'utf16le') === 0 ? 'utf16le' : 'utf8');
}

async function showViolations({ content, verdict }: CorruptFile): Promise<readonly string[]> {
  writeFileSync(FILE, content);
  const before = listDirectory();
  const violations =
    verdict === 'refused'
      ? namedRejectionViolations(await runInProcess(['show', FILE]))
      : await allFormatViolations(decode(Buffer.from(content)));
  return [...violations, ...(listDirectory() === before ? [] : ['it wrote something'])];
}

/** One line that names the file and what is wrong with it. */
function namedRejectionViolations(output: CommandOutput, name = FILE): readonly string[] {
  const isNamed = [' cannot be read: ', ', line ', ' holds '].some((words) =>
    output.stderr.startsWith(`gobonnie: ${name}${words}`),
  );
  return [...rejectionViolations(output, FAILURE), ...(isNamed ? [] : [`it does not name ${name}`])];
}

/** A whole file is shown as text, and in every other format that can hold it. */
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

/** What it says beside the warnings of the report. */
const unexpectedMessages = ({ stderr }: CommandOutput) => {
  const others = stderr.split('\n').filter((line) => line !== '' && !line.includes(': warning: '));
  const steering = hasControlCharacters(stderr) ? ['a warning steers the terminal'] : [];
  return [...others.map((line) => `it says ${line.slice(0, 300)}`), ...steering];
};

test('an intact file is shown in every format that can hold it, and refused in one line by the others', async () => {
  for (const { name, text, formats } of [...SAMPLE_FILES, ...(await measureSampleFiles())]) {
    writeFileSync(FILE, text);
    for (const format of FORMATS) {
      const said = await runInProcess(['show', FILE, '--format', format]);
      const isHeld = formats.includes(format);
      const violations = isHeld
        ? [...renderingViolations(format, said.stdout, text), ...unexpectedMessages(said)]
        : rejectionViolations(said, USAGE);
      expect({ name, format, exitCode: said.exitCode, violations }).toEqual({
        ...{ name, format, violations: [] },
        exitCode: isHeld ? 0 : USAGE,
      });
    }
  }
});

describe('a damaged file is refused in one line that names it, or shown if it is still whole:', () => {
  test.each<[string, () => readonly CorruptFile[]]>([
    ['bytes removed, doubled or changed', () => SAMPLE_FILES.flatMap((one) => corruptBytes(random, one))],
    [
      'other values, keys or brackets in JSON',
      () => SAMPLE_FILES.filter(isJson).flatMap((one) => corruptJson(random, one, TIMES)),
    ],
    [
      'other fields in a row',
      () => SAMPLE_FILES.filter((one) => !isJson(one)).flatMap((one) => corruptFields(random, one)),
    ],
    ['impossible figures', () => outOfRangeFiles(SAMPLE_FILES)],
    ['names that a terminal, browser or spreadsheet would execute', () => SAMPLE_FILES.flatMap(hostileFiles)],
    ['no results, or several at once', () => concatenatedFiles(SAMPLE_FILES)],
  ])('%s', async (_, make) => {
    await tally.run(make(), describeFile, showViolations);
  });
});

function isJson({ kind }: SampleFile): boolean {
  return kind === 'report' || kind === 'document';
}

test('no damaged file has changed the prototype of objects', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect('polluted' in {}).toBe(false);
});

test('of several files the intact ones are shown, and a message names each of the others', async () => {
  const whole = SAMPLE_FILES.find(({ kind }) => kind === 'row')?.text ?? '';
  writeFileSync('whole', whole);
  writeFileSync('cut', whole.slice(0, 60));
  const { stdout: alone } = await runInProcess(['show', 'whole']);
  for (const files of ['cut whole missing', 'missing cut whole', 'whole cut cut']) {
    const { stdout, stderr, exitCode } = await runInProcess(['show', ...files.split(' ')]);
    expect({ stdout, exitCode }).toEqual({ stdout: alone, exitCode: FAILURE });
    expect(stderr).toMatch(/^(?:gobonnie: (?:cut, line 1|missing) cannot be read: [^\n]+; [^\n]+\n){2}$/);
  }
});

describe('a path that is not a file of results', () => {
  /** A name as messages quote it. */
  const quoted = (name: string) =>
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

  test('is refused at once, with its name escaped', async () => {
    const plain = splitWords('directory fifo loop dangling zero large missing directory/below large/below');
    const strange = splitWords('\u001b[2J \u009bm \u202egnp.exe \u061c a\nb a\0b \0\u202e "');
    const cases = [
      ...plain.map((name) => ({ name, said: name })),
      ...strange.map((name) => ({ name, said: quoted(name) })),
      { name: '', said: '""' },
    ];
    await tally.run(
      cases,
      ({ said }) => said,
      async ({ name, said }) => namedRejectionViolations(await runInProcess(['show', name]), said),
    );
  });

  test('is refused by the built program even if it never ends', async () => {
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

    test('may be one that only root can read', async () => {
      // The usual nobody may read everything, because the project may be in a directory of root.
      const as = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
      for (const part of ['bin', 'dist', 'package.json'])
        cpSync(path.join(ROOT, part), part, { recursive: true });
      chmodSync('.', 0o755);
      const said = await startProcess(process.execPath, ['bin/gobonnie.cjs', 'show', 'closed'], { as })
        .exitResult;
      expect(said.stderr).toContain('permission denied');
      expect(namedRejectionViolations(said, 'closed')).toEqual([]);
    });
  });
});

describe('a file that would be far larger in memory is refused or shown with little memory:', () => {
  test.each(OVERSIZED_FILES.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    writeFileSync(FILE, one.make(SAMPLE_FILES.find(({ kind }) => kind === 'report')?.text ?? ''));
    await tally.run([one], describeFile, async ({ verdict, reason }) => {
      const said = await startProcess(process.execPath, [HEAP, ENTRY, 'show', FILE]).exitResult;
      if (verdict === 'shown')
        return [...renderingViolations('text', said.stdout, ''), ...unexpectedMessages(said)];
      return [
        ...namedRejectionViolations(said),
        ...(said.stderr.includes(reason) ? [] : [`not for ${reason}`, ...unexpectedMessages(said)]),
      ];
    });
  });
});

test('enough cases were tried', () => {
  tally.assertMinimum();
});
