import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { GIB, MB } from '../../../src/text/units.js';
import { version } from '../../../src/version.js';
import { DOCUMENT_KEYS, RESULT_KEYS, RFC_3339_UTC } from '../../support/data/gobonniego.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { ENTRY, runGobonnie, startProcess } from '../../support/programs/program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { requireTools } from '../../support/tools.js';

const BLOCK_BYTES = 65_536;
/** A filter from gobonniego's README. */
const README_FILTER = String.raw`( .start_time | sub("\\.[0-9]*";"") | fromdate ) as $start_time |
  .results = [ .results[] | .start_time = ( .start_time | sub("\\.[0-9]*";"") | fromdate - $start_time ) ]`;

test('--json prints one line on stdout, with the options, directory, times and results of a run, which agree with each other', async () => {
  const dir = makeDirectory();
  const before = Math.floor(Date.now() / 1000) * 1000;
  const { stdout, stderr } = await runGobonnie(['-v', '--json', '--dir', dir, ...SMALL_FLAGS]);
  expect(stderr).toMatch(/gobonnie starting\..*\n.*Number of CPU cores: /);
  expect(stdout).toBe(`${JSON.stringify(JSON.parse(stdout))}\n`);
  expect(Object.keys(JSON.parse(stdout))).toEqual(DOCUMENT_KEYS);
  const { results, start_time, gobonniego_directory, ...properties } = JSON.parse(stdout);
  expect(properties).toEqual({
    version,
    disk_space_used_gib: 0.01,
    num_readers_and_writers: 2,
    physical_memory_bytes: os.totalmem(),
    iops_duration_seconds: 0.1,
  });
  expect(start_time).toMatch(RFC_3339_UTC);
  expect(Date.parse(start_time)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(start_time)).toBeLessThanOrEqual(Date.now());
  expect(path.dirname(gobonniego_directory)).toBe(dir);
  expect(existsSync(gobonniego_directory)).toBe(false);
  expect(results).toHaveLength(1);

  const [result] = results;
  expect(Object.keys(result)).toEqual(RESULT_KEYS);
  const bytes = Math.floor((0.01 * GIB) / BLOCK_BYTES) * BLOCK_BYTES;
  expect(result.write_bytes).toBe(bytes);
  expect(result.read_bytes).toBe(bytes);
  expect(result.write_megabytes_per_second).toBeCloseTo(bytes / MB / result.write_seconds, 6);
  expect(result.read_megabytes_per_second).toBeCloseTo(bytes / MB / result.read_seconds, 6);
  expect(result.iops).toBeCloseTo(result.io_operations / result.io_seconds, 6);
  expect(result.io_seconds).toBeGreaterThanOrEqual(0.1);
  expect(result.io_operations).toSatisfy(Number.isInteger);
  expect(result.start_time).toMatch(RFC_3339_UTC);
});

describe('jq', () => {
  beforeEach(requireTools('jq'));

  test("prints whole seconds since the start for the line charts of gobonniego's README", async () => {
    const script = 'filter="$1"; shift; "$0" "$@" | jq -r "$filter"';
    const args = [ENTRY, '-json', '-q', '-runs', '2', '-dir', makeDirectory(), ...SMALL_FLAGS];
    const command = ['-c', script, process.execPath, README_FILTER, ...args];
    const { stdout, stderr, exitCode } = await startProcess('sh', command).exitResult;
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const document = JSON.parse(stdout);
    expect(document.results).toHaveLength(2);
    const [first, second] = document.results.map(({ start_time }: { start_time: number }) => start_time);
    expect(first).toSatisfy(Number.isInteger);
    expect(first).toBeGreaterThanOrEqual(0);
    expect(second).toBeGreaterThanOrEqual(first);
  });
});
