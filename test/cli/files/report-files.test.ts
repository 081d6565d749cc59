import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { formatNameFromPath, ReportFiles } from '../../../src/cli/files/report-files.js';
import { GobonnieError } from '../../../src/errors.js';
import { formatsByExtension, renderReport } from '../../../src/format/index.js';
import { toEventRecords } from '../../../src/report/events/recording.js';
import type { Report } from '../../../src/report/schema/report.js';
import { reportWith, runWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { readReportFile } from '../../support/programs/read-report-file.js';

function write(files: ReportFiles, report: Report): void {
  files.write((format) => renderReport(format, report));
}

/** A directory that a test can remove, and the path of a file in it. */
function doomed(parent: string) {
  const directory = path.join(parent, 'doomed');
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

describe('the path of a report', () => {
  test.each(['report.unknown', 'report', 'json', '.json', '.bencher.json', 'report.json.bak', ''])(
    '%j has no known extension, and is refused before any file is touched',
    async (name) => {
      const directory = makeDirectory();
      const good = path.join(directory, 'good.json');
      const given = name && path.join(directory, name);
      const error = await errorOf(ReportFiles.open([good, given]));
      expect(error).toBeInstanceOf(GobonnieError);
      expect(error).toMatchObject({
        code: 'option-invalid',
        kind: 'usage',
        message: `--out ${given || '""'} has no known extension`,
        hint: `use ${EXTENSIONS.slice(0, -1).join(', ')} or ${EXTENSIONS.at(-1)}`,
      });
      expect(readdirSync(directory)).toEqual([]);
    },
  );

  test.each([
    ['report.json', 'report'],
    ['bencher.json', 'report'],
    ['disk.bencher.json', 'bencher'],
    ['disk.github-throughput.json', 'github-throughput'],
    ['.disk.github-latency.json', 'github-latency'],
    ['github-latency.json', 'report'],
    ['a.b.ndjson', 'ndjson'],
    ['report.md', 'markdown'],
    ['report.csv', 'csv'],
    ['report.xml', 'junit'],
    ['/var/lib/node_exporter/disk.prom', 'prometheus'],
  ])('%s means the format %s, by its longest extension', (given, format) => {
    expect(formatNameFromPath(given)).toBe(format);
    expect(formatNameFromPath(given.toUpperCase())).toBe(format);
  });

  test('may have an extension in capital letters', async () => {
    const file = path.join(makeDirectory(), 'REPORT.JSON');
    const files = await ReportFiles.open([file]);
    write(files, reportWith());
    await files.flush();
    expect(readReportFile(file)).toEqual(reportWith());
  });

  test('in a missing directory is refused', async () => {
    const file = path.join(makeDirectory(), 'missing', 'report.json');
    expect(await errorOf(ReportFiles.open([file]))).toMatchObject({ code: 'option-invalid', kind: 'usage' });
  });
});

test('opening changes no file', async () => {
  const directory = makeDirectory();
  writeFileSync(path.join(directory, 'old.json'), 'old');
  await ReportFiles.open([path.join(directory, 'old.json'), path.join(directory, 'new.json')]);
  expect(readdirSync(directory)).toEqual(['old.json']);
  expect(readFileSync(path.join(directory, 'old.json'), 'utf8')).toBe('old');
});

test('every file gets the whole report, in one line', async () => {
  const directory = makeDirectory();
  const paths = ['a.json', 'b.json'].map((name) => path.join(directory, name));
  const files = await ReportFiles.open(paths);
  const report = reportWith({ runs: [runWith()] });
  write(files, report);
  await files.flush();
  for (const file of paths) {
    expect(readReportFile(file)).toEqual(report);
    expect(readFileSync(file, 'utf8')).toMatch(/^[^\n]+\n$/);
  }
  expect(readdirSync(directory).toSorted()).toEqual(['a.json', 'b.json']);
});

test('a report that changes afterwards is written as it was given', async () => {
  const file = path.join(makeDirectory(), 'report.json');
  const files = await ReportFiles.open([file]);
  const report = reportWith({ runs: [runWith()] });
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

test('the last of several reports is in the file at the end', async () => {
  const file = path.join(makeDirectory(), 'report.json');
  const files = await ReportFiles.open([file]);
  for (const count of [1, 2, 3, 4, 5]) write(files, reportWith({ runs: new Array(count).fill(runWith()) }));
  await files.flush();
  expect(readReportFile(file).runs).toHaveLength(5);
});

test('of reports that come faster than they can be written, only the last is written', async () => {
  const directory = makeDirectory();
  const files = await ReportFiles.open([path.join(directory, 'report.json')]);
  const inodes = new Set<number>();
  const watcher = watch(directory, () => {
    const found = statSync(path.join(directory, 'report.json'), { throwIfNoEntry: false });
    if (found) inodes.add(found.ino);
  });
  onTestFinished(() => watcher.close());
  const reports = Array.from({ length: 100 }, (_, count) =>
    reportWith({ runs: new Array(count).fill(runWith()) }),
  );
  for (const report of reports) write(files, report);
  await files.flush();
  expect(readReportFile(path.join(directory, 'report.json')).runs).toHaveLength(99);
  expect(inodes.size).toBeLessThanOrEqual(2);
});

describe('after a run', () => {
  /** Files whose text takes a second to render, on a clock that the test moves. */
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

  test('each of the first ten runs is written at once', async () => {
    const { files, update, read } = await slowFiles();
    for (let run = 1; run <= 10; run++) {
      update(String(run));
      await files.flush();
      expect(read()).toBe(String(run));
    }
  });

  test('from the eleventh on, a file rests for ten times as long as its last rewrite took', async () => {
    const { files, update, read } = await slowFiles();
    for (let run = 1; run <= 10; run++) update(String(run));
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

  test('from the eleventh on, nothing is rendered while the last text is still being written', async () => {
    const { files, update, read } = await slowFiles();
    for (let run = 1; run <= 12; run++) update(String(run));
    await files.flush();
    expect(read()).toBe('10');
  });

  test('the end of the report is written even during a rest', async () => {
    const { files, update, read } = await slowFiles();
    update('1');
    files.write(() => 'the end');
    await files.flush();
    expect(read()).toBe('the end');
  });
});

describe('a file of events', () => {
  const START = toEventRecords(reportWith());
  const RUN = toEventRecords(reportWith({ runs: [runWith()] })).slice(1);
  const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');

  test('grows with every event, and a report next to it is replaced as a whole', async () => {
    const directory = makeDirectory();
    const [events = '', whole = ''] = ['a.ndjson', 'b.json'].map((name) => path.join(directory, name));
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

  test('loses no event that comes during a write', async () => {
    const file = path.join(makeDirectory(), 'events.ndjson');
    const files = await ReportFiles.open([file]);
    const records = Array.from({ length: 300 }, () => RUN).flat();
    for (const record of records) files.appendEvent(record);
    write(files, reportWith());
    await files.flush();
    await files.close();
    expect(linesOf(file)).toEqual(records.map((record) => JSON.stringify(record)));
  });

  test('is not created without an event', async () => {
    const directory = makeDirectory();
    const files = await ReportFiles.open([path.join(directory, 'events.ndjson')]);
    await files.close();
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('a file that can no longer be written', () => {
  test('calls onFailure at once, and is reported at the end with its path and the reason', async () => {
    const { directory, file } = doomed(makeDirectory());
    const files = await ReportFiles.open([file]);
    const told = new Promise<void>((resolve) => {
      files.onFailure = resolve;
    });
    rmSync(directory, { recursive: true });
    write(files, reportWith());
    await told;
    expect(await errorOf(files.flush())).toMatchObject({
      name: 'GobonnieError',
      code: 'output-failed',
      kind: 'failure',
      message: expect.stringContaining(`--out ${file} could not be written: `),
    });
  });

  test('is reported even if a later write succeeds', async () => {
    const { directory, file } = doomed(makeDirectory());
    const files = await ReportFiles.open([file]);
    rmSync(directory, { recursive: true });
    write(files, reportWith());
    expect(await errorOf(files.flush())).toBeInstanceOf(GobonnieError);
    mkdirSync(directory);
    write(files, reportWith());
    expect(await errorOf(files.flush())).toMatchObject({ code: 'output-failed' });
    expect(readReportFile(file)).toEqual(reportWith());
  });

  test.each([0, 1])('does not keep the other file from being written: number %i of two', async (place) => {
    const parent = makeDirectory();
    const { directory, file } = doomed(parent);
    const good = path.join(parent, 'good.json');
    const files = await ReportFiles.open([good, good].with(place, file));
    rmSync(directory, { recursive: true });
    write(files, reportWith());
    expect(await errorOf(files.flush())).toMatchObject({ code: 'output-failed' });
    expect(readdirSync(parent)).toEqual(['good.json']);
    expect(readReportFile(good)).toEqual(reportWith());
  });
});
