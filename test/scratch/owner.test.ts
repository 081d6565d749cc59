import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { MARKER_NAME } from '../../src/scratch/marker.js';
import { ownOwner, reasonToLive } from '../../src/scratch/owner.js';
import { makeDirectory, scratchIn } from '../support/directory.js';
import { changeMarker, makeLeftover, startEndless } from '../support/leftover.js';
import { ENTRY, type Ended, gobonnie, start } from '../support/program.js';
import { needs } from '../support/tool.js';

const WITHOUT_PROC = ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$0" "$@"'];
const NOTHING = {};
const MACHINE = '/etc/machine-id';
const BOOT = '/proc/sys/kernel/random/boot_id';
const OTHER_MACHINE = '00000000000000000000000000000001\n';
const OTHER_BOOT = '00000000-0000-4000-8000-000000000001\n';

/** gobonnie clean as another start of a machine sees it; its name is the same, and it may be another machine. */
function cleanAfterStart(dir: string, machine: string): Promise<Ended> {
  const facts = makeDirectory();
  writeFileSync(path.join(facts, 'machine'), machine);
  writeFileSync(path.join(facts, 'boot'), OTHER_BOOT);
  const script = `mount --bind "$0/machine" ${MACHINE} && mount --bind "$0/boot" ${BOOT} && exec "$@"`;
  const command = [process.execPath, ENTRY, 'clean', dir];
  return start('unshare', ['--mount', 'sh', '-c', script, facts, ...command]).ended;
}

describe('on storage that two machines share', () => {
  beforeEach(needs('root', 'unshare', 'mount', MACHINE, '/proc/self/io'));

  test.each([
    ['has another number', OTHER_MACHINE],
    ['has none', ''],
  ])('what runs on one is left alone by one of the same name that %s', async (_, machine) => {
    const dir = makeDirectory();
    await startEndless(dir);
    const scratch = scratchIn(dir) ?? 'no scratch directory';
    const { stdout, stderr, exitCode } = await cleanAfterStart(dir, machine);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
    expect(stderr).toMatch(/^gobonnie: \S+ stays: it may have been made on another machine of this name/);
    expect(readdirSync(scratch)).toContain('bonnie.0');
  });

  test('what was left on one is removed by the same one when it has been started anew', async () => {
    const dir = makeDirectory();
    const scratch = await makeLeftover(dir);
    // Numbers of processes come again.
    changeMarker(scratch, ({ owner }) => ({ owner: { ...owner, pid: process.pid, birth: '' } }));
    const { stdout, exitCode } = await cleanAfterStart(dir, readFileSync(MACHINE, 'utf8'));
    expect({ stdout, exitCode }).toEqual({ stdout: `removed ${scratch}\n`, exitCode: 0 });
    expect(readdirSync(dir)).toEqual([]);
  });
});

test('what the number of a machine is cannot be read from a marker', () => {
  const { machine } = ownOwner();
  expect(machine).toMatch(/^[0-9a-f]{64}$|^$/);
});

test('an owner of whose machine nothing is known may be alive after another start', () => {
  const owner = { ...ownOwner(), machine: '', boot: 'before' };
  expect(reasonToLive(owner)).toContain('another machine of this name');
});

describe('a marker of an earlier gobonnie', () => {
  beforeEach(needs('/proc/self/io'));

  test('says too little for what is in it to be removed', async () => {
    const dir = makeDirectory();
    const scratch = await makeLeftover(dir);
    changeMarker(scratch, ({ owner }) => ({
      format: 'gobonnie-scratch/1',
      owner: { ...owner, machine: undefined },
      madeParents: 0,
      planted: undefined,
    }));
    const before = readdirSync(scratch);
    const { stdout, stderr, exitCode } = await gobonnie(['clean', dir]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
    expect(stderr).toMatch(/^gobonnie: \S+ stays: an earlier gobonnie made it, .*by hand/);
    expect(readdirSync(scratch)).toEqual(before);
    expect(before).toContain(MARKER_NAME);
  });
});

describe('a run at work is left alone', () => {
  beforeEach(needs('root', 'unshare'));

  test.each([
    ['that sees no /proc, by one that does', { as: WITHOUT_PROC }, NOTHING],
    ['that sees /proc, by one that does not', NOTHING, { as: WITHOUT_PROC }],
  ])('%s', async (_, running, looking) => {
    const dir = makeDirectory();
    const program = await startEndless(dir, [], running);
    const { stdout, stderr } = await gobonnie(['clean', dir], looking);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/gobonnie-\w+ stays: without \/proc it cannot be told whether it is in use\n$/);
    expect(readdirSync(scratchIn(dir) ?? '')).toContain('bonnie.0');
    program.kill('SIGINT');
    expect((await program.ended).exitCode).toBe(130);
  });
});
