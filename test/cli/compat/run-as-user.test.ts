import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startProcess } from '../../support/programs/program.js';
import { NOBODY, requireNobody, requireTools } from '../../support/tools.js';

const directory = mkdtempSync(path.join(os.tmpdir(), 'test-'));
const program = path.join(directory, 'child.mjs');

beforeAll(() => {
  const entry = fileURLToPath(new URL('run-as-user-child.ts', import.meta.url));
  buildSync({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile: program });
});

afterAll(() => rmSync(directory, { recursive: true }));

/** Returns the line of the error, if any, and the ids and groups of a real process. A dash stands for no flag. */
async function runChild(flags: string, as: readonly string[] = []): Promise<string> {
  const args = [program, ...JSON.parse(`"${flags}"`).split(' ')];
  const { stdout, stderr } = await startProcess(process.execPath, args, { as }).exitResult;
  expect(stderr).toBe('');
  return stdout;
}

describe('root', () => {
  beforeEach(requireTools('root', 'setpriv'));

  const withGroups = ['setpriv', '--groups=6,7'];
  const UNCHANGED = '0 0 0 0 (6 7)';

  test.each([
    ['nobody', '65534 65534 65534 65534 (65534)'],
    ['65534:6', '65534 65534 6 6 (6)'],
    ['nobody daemon', '65534 65534 1 1 (1)'],
    ['54321', '54321 54321 65534 65534 (65534)'],
    ['54321:root', '54321 54321 0 0 (0)'],
    ['- 6', '0 0 6 6 (6)'],
    ['root', UNCHANGED],
    ['0', UNCHANGED],
  ])('becomes -u %s, and drops its supplementary groups: %s', async (flags, ids) => {
    expect(await runChild(flags, withGroups)).toBe(ids);
  });

  test.each([
    ['no\\u001b[1m-such', '-u "no\\u001b[1m-such"'],
    ['', '-u ""'],
    [':', '-u :'],
    ['0x0', '-u 0x0'],
    ['4294967295', '-u 4294967295'],
    ['root:', '-u root:'],
    ['root:0:0', '-u root:0:0'],
    ['nobody no-such', '-u nobody -g no-such'],
    ['- ', '-g ""'],
  ])('with -u %s changes nothing, because it names no existing user or group', async (flags, text) => {
    const line = `${text} names a user or group that does not exist; pass one that exists, or a number`;
    expect(await runChild(flags, withGroups)).toBe(`${line}\n${UNCHANGED}`);
  });

  test.each([
    ['-', 'bonnie++ does not run as root without -u; pass -u root, or -u nobody to run as that user'],
    ['root:0 0', '-u root:0 -g 0 names two groups; leave one of them out'],
    ['root windows', '-u root is not supported on this system; leave it out'],
  ])('with -u %s is rejected, and changes nothing', async (flags, line) => {
    const [message, ids] = (await runChild(flags.replace(' windows', ' - windows'), withGroups)).split('\n');
    expect([message, ids]).toEqual([line, UNCHANGED]);
  });

  test('without CAP_SETUID may not become nobody, but may remain root', async () => {
    const as = ['setpriv', '--bounding-set=-setuid', '--inh-caps=-setuid'];
    expect(await runChild('nobody', as)).toMatch(
      /^-u nobody failed: .*not permitted.*; leave it out, or grant root the right to change users /,
    );
    expect(await runChild('root', as)).toMatch(/^0 0 0 0 /);
  });
});

describe('nobody', () => {
  beforeEach(requireNobody);

  const OWN = '65534 65534 65534 65534 ()';

  test.each([
    ['-', OWN],
    ['nobody', OWN],
    ['nobody:nogroup', OWN],
    ['- 65534', OWN],
    ['root', `-u root needs root; leave it out, or run as root\n${OWN}`],
    ['54321:6', `-u 54321:6 needs root; leave it out, or run as root\n${OWN}`],
    ['nobody 6', `-u nobody -g 6 needs root; leave it out, or run as root\n${OWN}`],
  ])('remains nobody with -u %s: %j', async (flags, output) => {
    expect(await runChild(flags, NOBODY.as)).toBe(output);
  });
});
