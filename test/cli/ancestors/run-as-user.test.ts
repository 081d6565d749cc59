import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Asked,
  becomeUser,
  type IdentityProcess,
  refuseRoot,
} from '../../../src/cli/ancestors/run-as-user.js';
import { GobonnieError } from '../../../src/errors.js';
import { start } from '../../support/program.js';
import { NOBODY, needs, needsNobody } from '../../support/tool.js';

/** A system that notes what it is asked to do, and does it. */
function systemOf(uid: number, gid: number, broken: Partial<IdentityProcess> = {}) {
  const now = { uid, gid };
  const calls: string[] = [];
  const system: IdentityProcess = {
    getuid: () => now.uid,
    geteuid: () => now.uid,
    getgid: () => now.gid,
    getegid: () => now.gid,
    initgroups: (user, group) => calls.push(`initgroups ${user} ${group}`),
    setgroups: (groups) => calls.push(`setgroups ${groups}`),
    setgid: (id) => {
      calls.push(`setgid ${id}`);
      now.gid = Number(id);
    },
    setuid: (id) => {
      calls.push(`setuid ${id}`);
      now.uid = Number(id);
    },
    ...broken,
  };
  return { system, calls };
}

function callsOf(asked: Asked, uid = 0, gid = uid): readonly string[] {
  const { system, calls } = systemOf(uid, gid);
  becomeUser(asked, system);
  return calls;
}

function lineOf(act: () => void): string {
  try {
    act();
  } catch (error) {
    if (!(error instanceof GobonnieError)) throw error;
    expect(error.kind).toBe('usage');
    return error.line;
  }
  return 'not refused';
}

describe('root becomes', () => {
  // These are the same on every Linux: root is 0 and in the group 0.
  test.each<[string, Asked, readonly string[]]>([
    ['a number, with a group', { user: '12345:6' }, ['setgroups 6', 'setgid 6', 'setuid 12345']],
    ['a number, with -g', { user: '12345', group: '6' }, ['setgroups 6', 'setgid 6', 'setuid 12345']],
    ['a number, with a group by name', { user: '12345:root' }, ['setgroups 0', 'setgid 0', 'setuid 12345']],
    ['a user with another group', { user: 'root:6' }, ['initgroups root 6', 'setgid 6', 'setuid 0']],
    ['the user of a number', { user: '0:6' }, ['initgroups root 6', 'setgid 6', 'setuid 0']],
    ['itself in another group', { group: '6' }, ['setgroups 6', 'setgid 6', 'setuid 0']],
  ])('%s: the groups first, the user last', (_, asked, calls) => {
    expect(callsOf(asked)).toEqual(calls);
  });

  test.each<[string, Asked]>([
    ['nobody asked', {}],
    ['-u root', { user: 'root' }],
    ['-u 0', { user: '0' }],
    ['-u root:root', { user: 'root:root' }],
    ['-g root', { group: 'root' }],
  ])('nobody else when it is so already: %s', (_, asked) => {
    expect(callsOf(asked)).toEqual([]);
  });

  test('root with its own group when it has another one', () => {
    expect(callsOf({ user: 'root' }, 0, 6)).toEqual(['initgroups root 0', 'setgid 0', 'setuid 0']);
  });
});

describe('whoever is not root', () => {
  test.each<[string, Asked]>([
    ['nobody asked', {}],
    ['by number', { user: '12345' }],
    ['by number with the group', { user: '12345:6' }],
    ['the group', { group: '6' }],
  ])('may ask for what it is: %s', (_, asked) => {
    expect(callsOf(asked, 12_345, 6)).toEqual([]);
  });

  test.each<[string, Asked, string]>([
    ['another user', { user: 'root' }, '-u root'],
    ['another number', { user: '54321:6' }, '-u 54321:6'],
    ['another group', { group: 'root' }, '-g root'],
    ['itself in another group', { user: '12345', group: '7' }, '-u 12345 -g 7'],
  ])('may not ask for %s', (_, asked, flags) => {
    const { system, calls } = systemOf(12_345, 6);
    expect(lineOf(() => becomeUser(asked, system))).toBe(
      `${flags} asks for somebody else, whom only root can become; leave it out, or run as root`,
    );
    expect(calls).toEqual([]);
  });
});

describe('what nobody can become', () => {
  const unknownUser = 'who is not in /etc/passwd; pass one who is, or a number';
  const unknownGroup = 'which is not in /etc/group; pass one that is, or a number';

  test.each<[Asked, string]>([
    [{ user: 'no-such' }, `-u no-such asks for the user no-such, ${unknownUser}`],
    [
      { user: 'no\u001b[1m such' },
      `-u "no\\u001b[1m such" asks for the user "no\\u001b[1m such", ${unknownUser}`,
    ],
    [{ user: '' }, `-u "" asks for the user "", ${unknownUser}`],
    [{ user: ':' }, `-u : asks for the user "", ${unknownUser}`],
    [{ user: '0x0' }, `-u 0x0 asks for the user 0x0, ${unknownUser}`],
    [{ user: '-1' }, `-u -1 asks for the user -1, ${unknownUser}`],
    [{ user: '4294967295' }, `-u 4294967295 asks for the user 4294967295, ${unknownUser}`],
    [{ user: 'root:' }, `-u root: asks for the group "", ${unknownGroup}`],
    [{ user: 'root:no-such' }, `-u root:no-such asks for the group no-such, ${unknownGroup}`],
    [{ user: 'root:0:0' }, `-u root:0:0 asks for the group 0:0, ${unknownGroup}`],
    [{ user: 'root', group: 'no-such' }, `-u root -g no-such asks for the group no-such, ${unknownGroup}`],
    [{ group: '' }, `-g "" asks for the group "", ${unknownGroup}`],
    [{ user: 'root:0', group: '0' }, '-u root:0 -g 0 asks for two groups; leave one of them out'],
  ])('%j', (asked, line) => {
    const { system, calls } = systemOf(0, 0);
    expect(lineOf(() => becomeUser(asked, system))).toBe(line);
    expect(calls).toEqual([]);
  });

  test('anybody, on Windows', () => {
    expect(lineOf(() => becomeUser({ user: 'root' }, {}))).toBe(
      '-u root asks for another user, which cannot be had on this system; leave it out',
    );
    expect(lineOf(() => becomeUser({}, {}))).toBe('not refused');
  });
});

describe('a change that does not take is no change', () => {
  const hint = 'leave it out, or give this root the right to become others (CAP_SETUID and CAP_SETGID)';

  test.each(['setgroups', 'setgid', 'setuid'])('%s is not permitted', (name) => {
    const refuse = () => {
      throw Object.assign(new Error('EPERM'), { errno: -1, code: 'EPERM' });
    };
    const { system } = systemOf(0, 0, { [name]: refuse });
    expect(lineOf(() => becomeUser({ user: '12345:6' }, system))).toBe(
      `-u 12345:6 cannot be done here: operation not permitted (EPERM); ${hint}`,
    );
  });

  test.each(['setgid', 'setuid'])('%s does nothing', (name) => {
    const { system } = systemOf(0, 0, { [name]: () => {} });
    expect(lineOf(() => becomeUser({ user: '12345:6' }, system))).toBe(
      `-u 12345:6 cannot be done here: the system did not do it; ${hint}`,
    );
  });

  test('the real user stays behind', () => {
    const { system } = systemOf(0, 0, { getuid: () => 0 });
    expect(lineOf(() => becomeUser({ user: '12345:6' }, system))).toContain('the system did not do it');
  });
});

describe('bonnie++ as root', () => {
  test('wants to be told', () => {
    expect(lineOf(() => refuseRoot('bonnie++', {}, systemOf(0, 0).system))).toBe(
      'bonnie++ runs as root only when it is told to; pass -u root, or -u nobody to become that user',
    );
  });

  test.each<[string, Asked]>([
    ['-u', { user: 'root' }],
    ['-g', { group: 'root' }],
  ])('is told by %s', (_, asked) => {
    expect(lineOf(() => refuseRoot('bonnie++', asked, systemOf(0, 0).system))).toBe('not refused');
  });

  test('is nobody else’s matter', () => {
    expect(lineOf(() => refuseRoot('bonnie++', {}, systemOf(1000, 1000).system))).toBe('not refused');
    expect(lineOf(() => refuseRoot('bonnie++', {}, {}))).toBe('not refused');
  });
});

describe('a real process', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'test-'));
  const program = path.join(root, 'child.mjs');

  beforeAll(() => {
    const entry = fileURLToPath(new URL('run-as-user-child.ts', import.meta.url));
    buildSync({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile: program });
  });

  afterAll(() => rmSync(root, { recursive: true }));

  async function said(args: readonly string[], as: readonly string[] = []): Promise<string> {
    const { stdout, stderr } = await start(process.execPath, [program, ...args], { as }).ended;
    expect(stderr).toBe('');
    return stdout;
  }

  describe('of root', () => {
    beforeEach(needs('root', 'setpriv'));

    const withGroups = ['setpriv', '--groups=6,7'];

    test.each([
      ['nobody', '', '65534 65534 65534 65534 (65534)'],
      ['nobody:6', '', '65534 65534 6 6 (6)'],
      ['nobody', 'daemon', '65534 65534 1 1 (1)'],
      ['65534', '', '65534 65534 65534 65534 (65534)'],
      ['54321', '', '54321 54321 65534 65534 (65534)'],
      ['54321:6', '', '54321 54321 6 6 (6)'],
      ['', '6', '0 0 6 6 (6)'],
    ])('becomes -u %j -g %j, and leaves its groups', async (user, group, ids) => {
      expect(await said(['become', user, group], withGroups)).toBe(ids);
    });

    test('stays root with -u root', async () => {
      expect(await said(['become', 'root'], withGroups)).toBe('0 0 0 0 (6 7)');
    });

    test('without the right to change it says so', async () => {
      const as = ['setpriv', '--bounding-set=-setuid', '--inh-caps=-setuid'];
      expect(await said(['become', 'nobody'], as)).toMatch(/^-u nobody cannot be done here: .*not permitted/);
    });
  });

  describe('of nobody', () => {
    beforeEach(needsNobody);

    const { as = [] } = NOBODY;

    test.each([
      ['become', 'nobody', '65534 65534 65534 65534 ()'],
      ['become', '65534', '65534 65534 65534 65534 ()'],
      ['become', 'nobody:nogroup', '65534 65534 65534 65534 ()'],
      ['refuse', '', '65534 65534 65534 65534 ()'],
    ])('%s %j is fine', async (call, user, ids) => {
      expect(await said([call, user], as)).toBe(ids);
    });

    test('cannot become root', async () => {
      expect(await said(['become', 'root'], as)).toBe(
        '-u root asks for somebody else, whom only root can become; leave it out, or run as root',
      );
    });
  });
});
