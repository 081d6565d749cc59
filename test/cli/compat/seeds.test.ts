import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FAST_DIRECTORY } from '../../support/disks/directory.js';
import { ENTRY, runGobonnie, startProcess } from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';
import { requireTools } from '../../support/tools.js';

// The command lines create their directories below this one.
const root = mkdtempSync(path.join(FAST_DIRECTORY, 'test-'));
afterAll(() => rmSync(root, { recursive: true }));
afterEach(() => expect(readdirSync(root)).toEqual([]));

const THREE_LINES = /^Sequential Write MB\/s: [\d.]+\nSequential Read MB\/s: [\d.]+\nIOPS: \d+\n$/;

/** Adds a directory and values for a quick run, unless the command line sets these options itself. */
function quick(args: readonly string[]): readonly string[] {
  const has = (name: string) => args.some((arg) => arg.replace(/^-+/, '').split('=')[0] === name);
  const quickArgs = [...args];
  if (!has('dir')) quickArgs.push('-dir', root);
  if (!has('size')) quickArgs.push('-size', '0.01');
  if (!has('iops-duration')) quickArgs.push('-iops-duration', '0.1');
  return quickArgs;
}

describe("a command line of gobonniego's or bonniego's README works:", () => {
  test.each([
    [''],
    ['-v'],
    ['-dir D:\\'],
    ['-dir tmp'],
    ['-dir zfs/tank'],
    ['-dir Volumes/USB'],
    ['-dir var/vcap/store/'],
    ['-threads 8'],
    ['-size 0.5'],
    ['--iops-duration=0.5'],
    ['-procs 8'],
  ])('gobonnie %s', async (line) => {
    const { stdout, exitCode } = await runGobonnie(quick(line.split(' ').filter(Boolean)), { cwd: root });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(THREE_LINES);
  });

  test('gobonnie -v -runs 2 prints two results', async () => {
    const { stdout, exitCode } = await runGobonnie(quick(['-v', '-runs', '2']));
    expect(exitCode).toBe(0);
    expect(stdout.match(/^IOPS: /gm)).toHaveLength(2);
  });

  test('gobonnie -v -seconds 3600 repeats until it is stopped', async () => {
    const program = startGobonnieForTest(quick(['-v', '-seconds', '3600']));
    await program.untilStderr(/(operations[\s\S]*){2}/);
    program.kill('SIGINT');
    const { stdout, exitCode } = await program.exitResult;
    expect(exitCode).toBe(130);
    expect(stdout.match(/^IOPS: /gm)?.length).toBeGreaterThanOrEqual(2);
  });

  test('gobonnie -version prints the version', async () => {
    expect((await runGobonnie(['-version'])).stdout).toMatch(/^gobonnie version \d+\.\d+\.\d+\n$/);
  });

  test('gobonnie -h lists every flag of gobonniego', async () => {
    const { stdout } = await runGobonnie(['-h']);
    const flags = ['dir', 'iops-duration', 'json', 'runs', 'seconds', 'size', 'threads', 'version'];
    for (const flag of flags) expect(stdout).toMatch(new RegExp(` --${flag}\\b`));
    expect(stdout).toMatch(/^ {2}-v, /m);
  });
});

describe('with jq', () => {
  beforeEach(requireTools('jq'));

  test('gobonnie -json | jq -r . prints the document', async () => {
    const script = '"$0" "$@" | jq -r .';
    const args = ['-c', script, process.execPath, ENTRY, ...quick(['-json'])];
    const { stdout, exitCode } = await startProcess('sh', args).exitResult;
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\{\n {2}"version": "[\s\S]*\n {2}"results": \[\n {4}\{\n[\s\S]*\n\}\n$/);
  });
});
