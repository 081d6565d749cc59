import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { formatsByExtension } from '../../../src/format/index.js';
import { eventRecordSchema } from '../../../src/report/events/event-record.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { runGobonnie } from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';

const BY_EXTENSION = Object.entries(formatsByExtension);
/** Flags for more runs than any test waits for. */
const ENDLESS = [...SMALL_FLAGS, '--runs', '1000'];
/** Flags for a faster run, because the results do not matter. */
const QUICK = [...SMALL_FLAGS, '--cache', 'keep'];

const recordsIn = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => eventRecordSchema.parse(JSON.parse(line)));

describe('--format on stdout', () => {
  test.each(BY_EXTENSION)('prints exactly the content of --out *%s', async (extension, format) => {
    const directory = makeDirectory();
    const file = path.join(directory, `out${extension}`);
    const args = ['-v', '--dir', directory, ...QUICK, '--runs', '2', '--format', format, '--out', file];
    const { stdout, stderr, exitCode } = await runInProcess(args);
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain('gobonnie starting.');
    expect(stdout).not.toContain('gobonnie starting.');
    expect(readFileSync(file, 'utf8')).toBe(stdout);
  });
});

/** Matches the Markdown that shows the picture of the same command. */
const PICTURE = /\n!\[[\w ]+\]\(<out\.svg>\)\n$/;

test('show prints the content of an --out file in every format from the full report and from the events', async () => {
  // On a disk, because expectations are inconclusive in memory.
  const directory = makeDirectory(os.tmpdir());
  const files = BY_EXTENSION.map(([extension, format]) => ({
    file: path.join(directory, `out${extension}`),
    format,
  }));
  const { stderr, exitCode } = await runGobonnie([
    '-q',
    '--dir',
    directory,
    ...QUICK,
    '--expect',
    'iops>=1',
    '--allow-cached',
    ...files.flatMap(({ file }) => ['--out', file]),
  ]);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  for (const { file, format } of files) {
    const written = readFileSync(file, 'utf8');
    for (const source of ['out.json', 'out.ndjson']) {
      const shown = await runInProcess(['show', path.join(directory, source), '--format', format]);
      // A report has no samples.
      if (format === 'ndjson') expect(recordsIn(shown.stdout).at(-1)?.type).toBe('end');
      else expect(shown.stdout).toBe(format === 'markdown' ? written.replace(PICTURE, '') : written);
    }
  }
});

describe('--format ndjson', () => {
  test('prints each event immediately, and the end event after a signal', async () => {
    const xml = path.join(makeDirectory(), 'out.xml');
    const args = ['--dir', makeDirectory(), ...ENDLESS, '--format', 'ndjson', '--out', xml];
    const { child, exitResult, kill } = startGobonnieForTest(args);
    const types: string[] = [];
    if (!child.stdout) throw new Error('stdout is not piped');
    for await (const line of createInterface(child.stdout)) {
      const { type } = eventRecordSchema.parse(JSON.parse(line));
      types.push(type);
      // Interrupt the program after its first run.
      if (type === 'run-end' && types.filter((one) => one === type).length === 1) kill('SIGINT');
    }
    const { exitCode, stdout } = await exitResult;
    expect(exitCode).toBe(130);
    const mainTypes = types.filter((type) => !['sample', 'warning', 'activity'].includes(type));
    expect(mainTypes.slice(0, 9)).toEqual([
      'start',
      'run-start',
      'phase-start',
      'phase-end',
      'phase-start',
      'phase-end',
      'phase-start',
      'phase-end',
      'run-end',
    ]);
    expect(recordsIn(stdout).at(-1)).toMatchObject({
      type: 'end',
      outcome: { state: 'aborted', reason: 'SIGINT' },
    });
    expect(readFileSync(xml, 'utf8')).toMatch(/<error type="aborted" message="stopped by SIGINT">/);
  });
});

describe('kill -9', () => {
  test('loses no event already in the --out file, which show can read', async () => {
    const directory = makeDirectory();
    const file = path.join(directory, 'events.ndjson');
    writeFileSync(file, 'old\n');
    const { exitResult, kill } = startGobonnieForTest(['--dir', directory, ...ENDLESS, '--out', file]);
    while (!readFileSync(file, 'utf8').includes('"run-end"')) await wait(5);
    kill('SIGKILL');
    expect((await exitResult).signal).toBe('SIGKILL');
    // The last line may be incomplete.
    const whole = readFileSync(file, 'utf8').replace(/[^\n]*$/, '');
    const phases = recordsIn(whole).filter(({ type }) => type === 'phase-end');
    expect(phases.length).toBeGreaterThanOrEqual(3);
    const { stdout, exitCode } = await runGobonnie(['show', file, '--format', 'csv']);
    expect(exitCode).toBe(0);
    expect(stdout.match(/,Sequential \w+,|,IOPS,/g)?.length).toBe(phases.length);
    expect(stdout).toContain(',completed,write,');
  });
});
