import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ReportFiles, selectByExtension } from '../../../src/cli/files/report-files.js';
import { GobonnieError } from '../../../src/errors.js';
import { formatsByExtension, renderReport } from '../../../src/format/index.js';
import { toEventRecords } from '../../../src/report/events/event-record.js';
import type { Report } from '../../../src/report/schema/report.js';
import { reportWith, runWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { readReportFile } from '../../support/programs/read-report-file.js';

function write(files: ReportFiles, report: Report): void {
  files.write((format) => renderReport(format, report));
}

/** Creates a directory for a test to remove, and returns it with the path of a file in it. */
function removableDirectory(parent: string) {
  const directory = path.join(parent, 'removable');
  mkdirSync(directory);
  return { directory, file: path.join(directory, 'report.json') };
}

const EXTENSIONS = Object.keys(formatsByExtension);

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('the path of an --out file', () => {
  test.each(['report.unknown', 'json', '.json', 'report.json.bak', ''])(
    '%j has no known extension, and is rejected before any file changes',
    async (name) => {
      const directory = makeDirectory();
      const good = path.join(directory, 'good.json');
      const invalid = name && path.join(directory, name);
      const error = await errorOf(ReportFiles.open([good, invalid]));
      expect(error).toBeInstanceOf(GobonnieError);
      expect(error).toMatchObject({
        code: 'option-invalid',
        kind: 'usage',
        message: `--out ${invalid || '""'} has no known extension`,
        hint: `use ${EXTENSIONS.slice(0, -1).join(', ')} or ${EXTENSIONS.at(-1)}`,
      });
      expect(readdirSync(directory)).toEqual([]);
    },
  );

  test.each([
    ['report.json', 'report'],
    ['disk.bencher.json', 'bencher'],
    ['.disk.github-latency.json', 'github-latency'],
    ['github-latency.json', 'report'],
    ['a.b.ndjson', 'ndjson'],
    ['/var/lib/node_exporter/disk.prom', 'prometheus'],
  ])('%s selects the format %s by its longest extension', (file, format) => {
    expect(selectByExtension(formatsByExtension, file)).toBe(format);
    expect(selectByExtension(formatsByExtension, file.toUpperCase())).toBe(format);
  });
});

test('a change of the report after write() does not reach the file', async () => {
  const file = path.join(makeDirectory(), 'report.json');
  const files = await ReportFiles.open([file]);
  const report = reportWith({ runs: [runWith()], outcome: { state: 'running' } });
  write(files, report);
  report.runs.push(runWith());
  report.outcome = { state: 'completed' };
  await files.flush();
  expect(readReportFile(file)).toMatchObject({
    runs: [{ state: 'completed' }],
    outcome: { state: 'running' },
  });
  expect(readReportFile(file).runs).toHaveLength(1);
});

describe('after a run,', () => {
  /** Opens files whose text takes a second to render, on a fake clock. */
  async function slowFiles() {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const file = path.join(makeDirectory(), 'report.json');
    const files = await ReportFiles.open([file]);
    const update = (text: string) =>
      files.update(() => {
        vi.advanceTimersByTime(1000);
        return text;
      });
    return { files, update, read: () => readFileSync(file, 'utf8') };
  }

  test('the report is written immediately for each of the first ten runs', async () => {
    const { files, update, read } = await slowFiles();
    for (let run = 1; run <= 10; run++) {
      update(String(run));
      await files.flush();
      expect(read()).toBe(String(run));
    }
  });

  test('from run 11 on, a file is not rewritten for ten times as long as its last rewrite took', async () => {
    const { files, update, read } = await slowFiles();
    for (let run = 1; run <= 10; run++) update(String(run));
    update('while the last text is still being written');
    await files.flush();
    vi.advanceTimersByTime(9999);
    update('11');
    await files.flush();
    expect(read()).toBe('10');
    vi.advanceTimersByTime(1);
    update('12');
    await files.flush();
    expect(read()).toBe('12');
  });

  test('the final report is written even during a pause', async () => {
    const { files, update, read } = await slowFiles();
    update('1');
    files.write(() => 'the end');
    await files.flush();
    expect(read()).toBe('the end');
  });
});

describe('an event file', () => {
  const START = toEventRecords(reportWith());
  const RUN = toEventRecords(reportWith({ runs: [runWith()] })).slice(1);
  const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');

  test('grows with every event, while a report file is replaced as a whole', async () => {
    const directory = makeDirectory();
    const events = path.join(directory, 'a.ndjson');
    const whole = path.join(directory, 'b.json');
    writeFileSync(events, 'old\n');
    const files = await ReportFiles.open([events, whole]);
    for (const [index, record] of [...START, ...RUN].entries()) {
      files.appendEvent(record);
      await files.flush();
      expect(linesOf(events)).toHaveLength(index + 1);
    }
    expect(readdirSync(directory)).toEqual(['a.ndjson']);
    write(files, reportWith());
    await files.flush();
    await files.close();
    expect(readReportFile(whole)).toEqual(reportWith());
    expect(linesOf(events).map((line) => JSON.parse(line))).toEqual([...START, ...RUN]);
  });

  test('is synced at the end of each run', async () => {
    const file = path.join(makeDirectory(), 'events.ndjson');
    const synced: string[] = [];
    await using handle = await open(path.dirname(file));
    using _datasync = vi.spyOn(Object.getPrototypeOf(handle), 'datasync').mockImplementation(async () => {
      synced.push(JSON.parse(linesOf(file).at(-1) ?? '').type);
    });
    const files = await ReportFiles.open([file]);
    const end = toEventRecords(reportWith({ runs: [runWith()] }));
    for (const record of end) files.appendEvent(record);
    await files.close();
    expect(synced).toEqual(['run-end', 'end']);
  });
});

describe('a failed write', () => {
  test('calls onFailure immediately, and is reported even if a later write succeeds', async () => {
    const { directory, file } = removableDirectory(makeDirectory());
    const files = await ReportFiles.open([file]);
    const failure = new Promise<void>((resolve) => {
      files.onFailure = resolve;
    });
    rmSync(directory, { recursive: true });
    write(files, reportWith());
    await failure;
    mkdirSync(directory);
    write(files, reportWith());
    expect(await errorOf(files.flush())).toMatchObject({
      name: 'GobonnieError',
      code: 'output-failed',
      kind: 'failure',
      message: expect.stringContaining(`--out ${file} could not be written: `),
    });
    expect(readReportFile(file)).toEqual(reportWith());
  });

  test.each([0, 1])('of file %i of two does not prevent the write of the other file', async (index) => {
    const parent = makeDirectory();
    const { directory, file } = removableDirectory(parent);
    const good = path.join(parent, 'good.json');
    const files = await ReportFiles.open([good, good].with(index, file));
    rmSync(directory, { recursive: true });
    write(files, reportWith());
    expect(await errorOf(files.flush())).toMatchObject({ code: 'output-failed' });
    expect(readdirSync(parent)).toEqual(['good.json']);
    expect(readReportFile(good)).toEqual(reportWith());
  });
});
