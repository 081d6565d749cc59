import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { optionRows } from '../../../src/cli/argv/cli-catalogue.js';
import { COMMAND_OPTIONS } from '../../../src/cli/commands/ab/command-sides.js';
import { readExplanations } from '../../../src/cli/commands/explain.js';
import { EXIT_CODES, signalExitCode } from '../../../src/cli/exit-codes.js';
import { SIGNAL_NAMES } from '../../../src/cli/interruption.js';
import { ERROR_CODES, GobonnieError } from '../../../src/errors.js';
import { MIN_STABLE_RUNS, optionCatalogue } from '../../../src/options/option-catalogue.js';
import {
  DEFAULT_SIZE_RAM_MULTIPLE,
  MAX_UNCACHED_DEFAULT_BYTES,
  MIN_FREE_BYTES,
  MIN_FREE_SHARE,
} from '../../../src/plan/target.js';
import { CLIFF_SHARE } from '../../../src/report/measure/cliff.js';
import { SERVED_SHARE } from '../../../src/report/rate.js';
import { MIN_SUSPENDED_MS } from '../../../src/run/kernel/suspension.js';
import { toFlag } from '../../../src/text/message-template.js';
import { FIO_NAMES, FIO_PATTERNS } from '../../../src/text/suggest.js';
import { formatBytes, formatNs, MB } from '../../../src/text/units.js';
import {
  BUSY_SHARE,
  MEMORY_CEILING_SHARE,
  MIN_FLUSH_NS,
  MIN_HARD_DISK_SYNC_NS,
  MIN_PHASE_SECONDS,
  OTHER_IO_BYTES_PER_SECOND,
  OTHER_IO_SHARE,
  STEAL_SHARE,
} from '../../../src/warnings/measurement-warnings.js';
import { SECTOR_BYTES } from '../../../workers/data/test-data.js';
import { WARNING_CODES } from '../../support/data/all-warnings.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { ROOT } from '../../support/root.js';
import { expectAccepted } from '../argv/examples.js';

const PAGE = readFileSync(path.join(ROOT, 'docs/warnings.md'), 'utf8');
const EXPLANATIONS = readExplanations();

function proseOf(code: string): string {
  return EXPLANATIONS.find(({ names }) => names.includes(code))?.paragraphs.join(' ') ?? '';
}

function withoutMarkup(markdown: string): string {
  return markdown.replaceAll(/\]\([^)]*\)|[[`]/g, '').replaceAll(/\s+/g, ' ');
}

test('docs/warnings.md explains every warning, error and exit code once', () => {
  const codesOf = (title: string) =>
    EXPLANATIONS.filter(({ chapter }) => chapter === title).flatMap(({ names }) => names);
  expect(codesOf('Warnings').toSorted()).toEqual(WARNING_CODES.toSorted());
  expect(codesOf('Errors').toSorted()).toEqual(ERROR_CODES.toSorted());
  const exitCodes = [...Object.values(EXIT_CODES), ...[...SIGNAL_NAMES, 'SIGPIPE'].map(signalExitCode)];
  expect(codesOf('Exit codes').map(Number)).toEqual(exitCodes.toSorted((a, b) => a - b));
});

test.each(ERROR_CODES)('docs/warnings.md has the exit code of %s', (code) => {
  expect(proseOf(code)).toContain(`Exit code ${EXIT_CODES[new GobonnieError(code, '', '').kind]}.`);
});

const percent = (share: number) => `${share * 100} %`;
const RESERVE = `${formatBytes(MIN_FREE_BYTES)} free, or ${percent(MIN_FREE_SHARE)} of the filesystem`;
const SHORT_PHASE = `phases shorter than ${MIN_PHASE_SECONDS} s`;

test.each([
  ['served-from-cache', `less than ${percent(SERVED_SHARE)} of the data`],
  ['device-share-unknown', `is ${percent(MEMORY_CEILING_SHARE)} of the memory ceiling`],
  ['still-dirty', `less than ${percent(SERVED_SHARE)} of the data`],
  ['cliff', `fell to ${percent(CLIFF_SHARE)} of`],
  ['suspended', `for ${MIN_SUSPENDED_MS} ms or more`],
  ['device-contention', `more than ${percent(OTHER_IO_SHARE)} of the data`],
  ['device-contention', `more than ${OTHER_IO_BYTES_PER_SECOND / MB} MB/s`],
  ['device-contention', SHORT_PHASE],
  ['cpu-steal', `${percent(STEAL_SHARE)} or more of its CPU time`],
  ['cpu-steal', SHORT_PHASE],
  ['cpu-saturated', `${percent(BUSY_SHARE)} busy`],
  ['cpu-saturated', SHORT_PHASE],
  ['sync-too-fast', `below ${formatNs(MIN_HARD_DISK_SYNC_NS)}`],
  ['sync-too-fast', `below ${formatNs(MIN_FLUSH_NS)}`],
  ['not-stable', `by default ${optionCatalogue.maxRuns.default}, at least ${MIN_STABLE_RUNS}`],
  ['io-size-raised', `sectors of ${SECTOR_BYTES} bytes`],
  ['io-size-raised', `the default of ${optionCatalogue.ioSize.default} bytes`],
  ['size-reduced', RESERVE],
  ['size-too-large', RESERVE],
  ['low-disk-space', `${formatBytes(MIN_FREE_BYTES)}, or ${percent(MIN_FREE_SHARE)} of the filesystem`],
])('the numbers in the explanation of %s are those of the program: %s', (code, words) => {
  expect(proseOf(code).toLowerCase()).toContain(words.toLowerCase());
});

test('docs/warnings.md names the default size', () => {
  expect(DEFAULT_SIZE_RAM_MULTIPLE).toBe(2);
  expect(proseOf('size-reduced')).toContain(
    `up to ${formatBytes(MAX_UNCACHED_DEFAULT_BYTES)}; twice the RAM`,
  );
});

test('docs/warnings.md mentions only flags that exist', () => {
  const OF_OTHER_PROGRAMS = ['--output', '--direct-io', '--sector-size'];
  const known = [
    ...Object.keys({ ...optionRows, ...COMMAND_OPTIONS }).map(toFlag),
    '--help',
    ...OF_OTHER_PROGRAMS,
  ];
  const flags = PAGE.match(/(?<![\w-])--[a-z][a-z-]+/g) ?? [];
  expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
});

test('explain without a code lists every code with its other names and its title once', async () => {
  const { stdout, stderr, exitCode } = await runInProcess(['explain']);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  const lines = stdout.split('\n');
  for (const [, names = '', title = ''] of PAGE.matchAll(/^### (`.+?`): (.*)$/gm)) {
    const start = `  ${withoutMarkup(names)} `;
    const ending = `  ${withoutMarkup(title)}`;
    expect(lines.filter((line) => line.startsWith(start) && line.endsWith(ending))).toHaveLength(1);
  }
});

test('explain prints a section without Markdown, its commands with their comments', async () => {
  expect(
    (await runInProcess(['explain', 'size-too-small'])).stdout,
  ).toBe(`error size-too-small: the data is smaller than one block per thread

The data (--size or its default) is smaller than one block (--block-size) for each thread, or for
each of its --data-files. Some threads would have had no work, so gobonnie measured nothing. Exit
code 2.

Pass a larger --size, fewer --threads or a smaller --block-size.

  gobonnie --size 0.01 --threads 2   10 MiB for two threads
`);
});

test.each(EXPLANATIONS)(
  'explain with the last of $names prints its whole section, in 100 columns, with examples that gobonnie accepts',
  async ({ names, examples }) => {
    const { stdout, stderr, exitCode } = await runInProcess(['explain', names.at(-1) ?? '']);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const [, prose = ''] =
      new RegExp(`^### (\`${names.join('`, `')}\`: [^]*?)(?:\`\`\`sh|### |$(?![^]))`, 'm').exec(PAGE) ?? [];
    expect(prose).not.toBe('');
    expect(stdout.replace(/\s+/g, ' ')).toContain(withoutMarkup(prose));
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
    for (const { command, comment } of examples) {
      expect(comment).not.toBe('');
      await expectAccepted(command);
    }
  },
);

test.each([...FIO_NAMES, ...FIO_PATTERNS])("fio's %s is translated, in 100 columns", async (name) => {
  const { stdout, stderr, exitCode } = await runInProcess(['explain', name]);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout).toMatch(new RegExp(`^fio's [^:]*[-=]${name}\\b`));
  expect(stdout).not.toContain('`');
  expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

test.each(['--iodepth=32', 'iodepth=32', '--direct=1', 'size=1G'])(
  "fio's %s is translated as typed",
  async (typed) => {
    const { stdout, exitCode } = await runInProcess(['explain', typed]);
    expect({ stdout, exitCode }).toEqual({ stdout: expect.stringMatching(/^fio's --/), exitCode: 0 });
  },
);

test.each([
  ['sevred-from-cache', 'sevred-from-cache; did you mean served-from-cache?'],
  ['contention', 'contention; did you mean device-contention?'],
  ['cach', 'cach; did you mean served-from-cache, cache-not-dropped, or cache-failed?'],
  ['', '""; gobonnie explain lists all codes'],
  ['toString', 'toString; gobonnie explain lists all codes'],
  ['--xyz', '--xyz; gobonnie explain lists all codes'],
])('the unknown code %j is rejected, with similar codes if any exist', async (code, line) => {
  const { stdout, stderr, exitCode } = await runInProcess(['explain', code]);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toBe(`gobonnie: unknown code ${line}\n`);
});

test('shells complete codes and show their titles', async () => {
  expect((await runInProcess(['__complete', 'memory', 'explain'])).stdout).toBe(
    'words\nmemory-filesystem\tthe directory is in RAM, not on a disk\nmemory-too-small\tthere is not enough RAM for this many threads or blocks this large\n',
  );
});

test('the items of a list keep their lines', async () => {
  const { stdout } = await runInProcess(['explain', 'sync-too-fast']);
  expect(stdout.match(/^- the /gm)).toHaveLength(3);
});
