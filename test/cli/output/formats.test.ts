import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { formatsByExtension } from '../../../src/format/index.js';
import { eventRecordSchema } from '../../../src/report/events/event-record.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { pipeThrough } from '../../support/programs/pipe-through.js';
import { runGobonnie } from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { requireTools } from '../../support/tools.js';

type WrittenFormat = (typeof formatsByExtension)[keyof typeof formatsByExtension];

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
  test.each([
    ['.json', 'report'],
    ['.ndjson', 'ndjson'],
  ])('prints exactly the content of --out *%s', async (extension, format) => {
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

/** Checks for the charts of a page: device share, and rate, latency over time and percentiles. */
const COUNTS_CHARTS = `
import html.parser, sys
found = []
class Reader(html.parser.HTMLParser):
    def handle_starttag(self, tag, attributes):
        found.append(tag)
Reader().feed(sys.stdin.read())
assert found.count('svg') >= 4, found.count('svg')
`;

describe('a run written in every format', () => {
  beforeEach(requireTools('jq', 'python3', 'xmllint', 'promtool', 'cmark-gfm'));

  const SCHEMA = fileURLToPath(new URL('../../format/data/junit.xsd', import.meta.url));
  const READERS: Readonly<Record<WrittenFormat, readonly [program: string, ...args: string[]]>> = {
    report: ['jq', '-e', '.outcome.state == "completed"'],
    bencher: ['jq', '-e', '.write | has("rate-bytes-per-second")'],
    'github-throughput': ['jq', '-e', 'map(.name) | index("write") != null'],
    'github-latency': ['jq', '-e', 'type == "array"'],
    ndjson: ['jq', '-e', 'select(.type == "end") | .outcome.state == "completed"'],
    markdown: ['cmark-gfm', '-e', 'table'],
    html: ['python3', '-c', COUNTS_CHARTS],
    svg: ['xmllint', '--noout', '--nonet', '-'],
    csv: ['python3', '-c', 'import csv, sys; assert len(list(csv.DictReader(sys.stdin))) == 3'],
    'csv-series': [
      'python3',
      '-c',
      'import csv, sys; assert {row["step"] for row in csv.DictReader(sys.stdin)} == {"write", "read", "iops"}',
    ],
    junit: ['xmllint', '--noout', '--nonet', '--schema', SCHEMA, '-'],
    prometheus: ['promtool', 'check', 'metrics'],
  };

  test('passes a reader of every format, and equals the output of show for the full report', async () => {
    // On a disk, because expectations are inconclusive in memory.
    const directory = makeDirectory(os.tmpdir());
    const files = BY_EXTENSION.map(([extension, format]) => ({
      file: path.join(directory, `out${extension}`),
      format,
    }));
    const out = files.flatMap(({ file }) => ['--out', file]);
    const flags = ['-q', '--dir', directory, ...QUICK, '--expect', 'iops>=1', '--allow-cached', ...out];
    const { stderr, exitCode } = await runGobonnie(flags);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    for (const { file, format } of files) {
      const written = readFileSync(file, 'utf8');
      const [reader, ...args] = READERS[format];
      pipeThrough(reader, args, written);
      for (const source of ['out.json', 'out.ndjson']) {
        const shown = await runInProcess(['show', path.join(directory, source), '--format', format]);
        // A report has no samples.
        if (format === 'ndjson') expect(recordsIn(shown.stdout).at(-1)?.type).toBe('end');
        else expect(shown.stdout).toBe(written);
      }
    }
  });
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
    const step = ['step-start', 'step-end'];
    expect(mainTypes.slice(0, 9)).toEqual(['start', 'run-start', ...step, ...step, ...step, 'run-end']);
    expect(recordsIn(stdout).at(-1)).toMatchObject({
      type: 'end',
      outcome: { state: 'aborted', reason: 'SIGINT' },
    });
    expect(readFileSync(xml, 'utf8')).toMatch(/<error type="aborted" message="stopped by SIGINT">/);
  });
});
