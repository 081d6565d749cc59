import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runAsUser, type UserFlags } from '../../../src/cli/compat/run-as-user.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';
import { startProcess } from '../../support/programs/program.js';
import { NOBODY, requireNobody, requireTools } from '../../support/tools.js';

const directory = mkdtempSync(path.join(os.tmpdir(), 'test-'));
const program = path.join(directory, 'child.mjs');

beforeAll(() => {
  const entry = fileURLToPath(new URL('run-as-user-child.ts', import.meta.url));
  buildSync({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile: program });
});

afterAll(() => rmSync(directory, { recursive: true }));

/** Calls `runAsUser` in a real process. Returns the lines of its errors, and the ids and groups of the process. */
async function runChild(calls: readonly UserFlags[], as: readonly string[] = []) {
  const args = [program, JSON.stringify(calls)];
  const { stdout, stderr } = await startProcess(process.execPath, args, { as }).exitResult;
  expect(stderr).toBe('');
  return JSON.parse(stdout) as { readonly errors: readonly string[]; readonly ids: string };
}

describe('root', () => {
  beforeEach(requireTools('root', 'setpriv'));

  const withGroups = ['setpriv', '--groups=6,7'];
  const UNCHANGED = '0 0 0 0 (6 7)';

  test.each<[UserFlags, string]>([
    [{ user: 'nobody' }, '65534 65534 65534 65534 (65534)'],
    [{ user: '65534:6' }, '65534 65534 6 6 (6)'],
    [{ user: '54321' }, '54321 54321 65534 65534 (65534)'],
    [{ group: '6' }, '0 0 6 6 (6)'],
    [{ user: 'root' }, UNCHANGED],
  ])('becomes %j, and drops its supplementary groups: %s', async (flags, ids) => {
    expect(await runChild([flags], withGroups)).toEqual({ errors: [], ids });
  });

  test('changes nothing with the name of no existing user or group', async () => {
    const rows: readonly (readonly [flags: UserFlags, words: string])[] = [
      [{ user: 'no\u001b[1m-such' }, '-u "no\\u001b[1m-such"'],
      [{ user: '' }, '-u ""'],
      [{ user: '0x0' }, '-u 0x0'],
      [{ user: '4294967295' }, '-u 4294967295'],
      [{ user: 'root:' }, '-u root:'],
      [{ user: 'root:0:0' }, '-u root:0:0'],
      [{ user: 'nobody', group: 'no-such' }, '-u nobody -g no-such'],
    ];
    const calls = rows.map(([flags]) => flags);
    const { errors, ids } = await runChild(calls, withGroups);
    const problem = 'names a user or group that does not exist; pass one that exists, or a number';
    expect(errors).toEqual(rows.map(([, words]) => `${words} ${problem}`));
    expect(ids).toBe(UNCHANGED);
  });

  test('changes nothing without -u, or with two groups', async () => {
    expect(await runChild([{}, { user: 'root:0', group: '0' }], withGroups)).toEqual({
      errors: [
        'bonnie++ does not run as root without -u; pass -u root, or -u nobody to run as that user',
        '-u root:0 -g 0 names two groups; leave one of them out',
      ],
      ids: UNCHANGED,
    });
  });

  test('without CAP_SETUID may not become nobody, but may remain root', async () => {
    const as = ['setpriv', '--bounding-set=-setuid', '--inh-caps=-setuid'];
    const { errors, ids } = await runChild([{ user: 'nobody' }, { user: 'root' }], as);
    expect(errors).toEqual([
      expect.stringMatching(
        /^-u nobody failed: .*not permitted.*; leave it out, or grant root the right to change users /,
      ),
    ]);
    expect(ids).toMatch(/^0 0 0 0 /);
  });
});

describe('nobody', () => {
  beforeEach(requireNobody);

  test('remains nobody with its own user and group, and may not become another user', async () => {
    const accepted = [{}, { user: 'nobody' }, { user: 'nobody:nogroup' }, { group: '65534' }];
    const rejected = [{ user: 'root' }, { user: '54321:6' }, { user: 'nobody', group: '6' }];
    expect(await runChild([...accepted, ...rejected], NOBODY.as)).toEqual({
      errors: [
        '-u root needs root; leave it out, or run as root',
        '-u 54321:6 needs root; leave it out, or run as root',
        '-u nobody -g 6 needs root; leave it out, or run as root',
      ],
      ids: '65534 65534 65534 65534 ()',
    });
  });
});

test('a system without user IDs rejects -u', () => {
  const { setuid } = process;
  Object.assign(process, { setuid: undefined });
  onTestFinished(() => {
    Object.assign(process, { setuid });
  });
  expect(() => runAsUser({ user: 'root', group: undefined })).toThrow(
    gobonnieErrorWith('option-invalid', '-u root is not supported on this system; leave it out'),
  );
});
