import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportFormats } from '../../../src/format/index.js';
import { USER_FLAGS } from '../../cli/compat/run-bonnie-plus-plus.js';
import { useTemporaryDirectory } from '../../support/disks/temporary-directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { hasControlCharacters } from '../output-violations.js';

/** Escape sequences, C1 controls, a backspace and bidirectional controls, for the name of a directory or a machine. */
const LABEL = 'l\u001b[31m\u001b]0;x\u0007\u009b2J\b\u202e\u2066\u061c<b>"\'&=1';
const DIRECTORY = `${LABEL}\n\u2028d`;
const RAW = path.join(DIRECTORY, 'raw\u001bc');

useTemporaryDirectory(() => {
  mkdirSync(DIRECTORY);
  writeFileSync(RAW, '');
  truncateSync(RAW, 2 * 1024 ** 2);
});

const SMALL = [
  '--dir',
  DIRECTORY,
  '--label',
  LABEL,
  ...'--size 0.001 --iops-duration 0.01 --threads 1'.split(' '),
];
const OWN = ['-v', '--json', '--dry-run', '--dry-run --json', '--out report.json'];
/** The format json prints the same document as --json. */
const FORMATS = Object.keys(reportFormats).filter((name) => name !== 'json');

/** A step that every format of steps shows. */
const STEP = ['--step', 'random,seconds=0.01'];
const isOfSteps = (format: string) => 'needsList' in reportFormats[format as keyof typeof reportFormats];

const CALLS: readonly (readonly string[])[] = [
  ...OWN.map((words) => [...SMALL, ...words.split(' ')]),
  ...FORMATS.map((format) => [...SMALL, ...(isOfSteps(format) ? STEP : []), '--format', format]),
  ['bonniego', '-v', ...SMALL],
  ['bonnie', '-d', DIRECTORY, '-m', LABEL, '-s', '1', '-S', '10'],
  ['bonnie++', ...USER_FLAGS, '-d', DIRECTORY, '-m', LABEL, '-s', '1', '-r', '0', '-n', '1'],
  ['zones', '-b', '1', '-c', '2', RAW],
];

describe('control characters in a directory and a label are escaped by', () => {
  test.each(
    CALLS.map(
      (args) =>
        [args.filter((arg) => arg !== DIRECTORY && arg !== LABEL && arg !== RAW).join(' '), args] as const,
    ),
  )('%s', async (_, args) => {
    const { stdout, stderr, exitCode } = await runInProcess(args);
    expect(exitCode, stderr).toBe(0);
    // CSV lines end with CRLF (RFC 4180).
    expect([stdout.replaceAll('\r\n', '\n'), stderr].filter(hasControlCharacters)).toEqual([]);
    expect(readdirSync(DIRECTORY)).toEqual([path.basename(RAW)]);
  });

  test('show, which reads them from files', async () => {
    const { stdout, stderr } = await runInProcess(['show', 'report.json', 'report.json', RAW]);
    expect([stdout, stderr].filter(hasControlCharacters)).toEqual([]);
    const [message, ...warnings] = stderr.trimEnd().split('\n');
    expect(message).toMatch(/^gobonnie: [^\n]+ cannot be read: it is a binary file; [^\n]+$/);
    expect(warnings.filter((line) => !/^report\.json: ".*": warning: /.test(line))).toEqual([]);
  });
});

test('JSON contains the names unchanged', async () => {
  const { stdout } = await runInProcess([...SMALL, '--format', 'report']);
  const { label, target } = JSON.parse(stdout);
  expect({ label, directory: path.basename(target.directory) }).toEqual({
    label: LABEL,
    directory: DIRECTORY,
  });
});
