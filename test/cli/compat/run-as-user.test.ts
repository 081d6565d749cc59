import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  rejectRoot,
  switchUser,
  type UserFlags,
  type UserProcess,
} from '../../../src/cli/compat/run-as-user.js';
import { GobonnieError } from '../../../src/errors.js';
import { startProcess } from '../../support/programs/program.js';
import { NOBODY, requireNobody, requireTools } from '../../support/tools.js';

const NAMES: Readonly<Record<string, number>> = { root: 0 };

/** Returns a simulated system that records and executes the calls. Root is its only user with a name. */
function simulateSystem(uid: number, gid: number, broken: UserProcess = {}) {
  const ids = { uid, gid, euid: uid, egid: gid };
  const calls: string[] = [];
  const numberOf = (id: string | number) => {
    const number = typeof id === 'number' ? id : NAMES[id];
    if (number !== undefined) return number;
    throw Object.assign(new Error('does not exist'), { code: 'ERR_UNKNOWN_CREDENTIAL' });
  };
  const permittedId = (id: string | number, realId: number) => {
    const number = numberOf(id);
    if (ids.uid !== 0 && number !== realId) throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    return number;
  };
  const system: UserProcess = {
    getuid: () => ids.uid,
    geteuid: () => ids.euid,
    getgid: () => ids.gid,
    getegid: () => ids.egid,
    seteuid: (id) => {
      ids.euid = permittedId(id, ids.uid);
    },
    setegid: (id) => {
      ids.egid = permittedId(id, ids.gid);
    },
    initgroups: (user, group) => calls.push(`initgroups ${user} ${group}`),
    setgroups: (groups) => calls.push(`setgroups ${groups}`),
    setgid: (id) => {
      calls.push(`setgid ${id}`);
      ids.gid = ids.egid = numberOf(id);
    },
    setuid: (id) => {
      calls.push(`setuid ${id}`);
      ids.uid = ids.euid = numberOf(id);
    },
    ...broken,
  };
  vi.spyOn(os, 'userInfo').mockImplementation(() => {
    if (ids.euid !== 0) throw new Error('no user has this number');
    return { username: 'root', uid: 0, gid: 0, shell: null, homedir: '/' };
  });
  return { system, calls };
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns the calls that change the user, or the line of the error, before which nothing may change. */
function attempt(uid: number, gid: number, flags: UserFlags): readonly string[] | string {
  const { system, calls } = simulateSystem(uid, gid);
  const line = errorLine(() => switchUser(flags, system));
  if (line === 'not rejected') return calls;
  expect(calls).toEqual([]);
  return line;
}

/** Returns the line of the error that the action throws. */
function errorLine(action: () => void): string {
  try {
    action();
  } catch (error) {
    if (!(error instanceof GobonnieError)) throw error;
    expect(error.kind).toBe('usage');
    return error.line;
  }
  return 'not rejected';
}

describe('root', () => {
  test.each<[UserFlags, readonly string[]]>([
    [{ user: '12345:6' }, ['setgroups 6', 'setgid 6', 'setuid 12345']],
    [{ user: '12345', group: '6' }, ['setgroups 6', 'setgid 6', 'setuid 12345']],
    [{ user: '12345:root' }, ['setgroups 0', 'setgid 0', 'setuid 12345']],
    [{ user: 'root:6' }, ['initgroups root 6', 'setgid 6', 'setuid 0']],
    [{ user: '0:6' }, ['initgroups root 6', 'setgid 6', 'setuid 0']],
    [{ group: '6' }, ['setgroups 6', 'setgid 6', 'setuid 0']],
    // Nothing would change.
    [{}, []],
    [{ user: 'root' }, []],
    [{ user: '0' }, []],
    [{ user: 'root:root' }, []],
    [{ group: 'root' }, []],
  ])('with %j changes its groups first and its user last: %j', (flags, calls) => {
    expect(attempt(0, 0, flags)).toEqual(calls);
  });

  test("with -u root gets root's own group if the process has another group", () => {
    expect(attempt(0, 6, { user: 'root' })).toEqual(['initgroups root 0', 'setgid 0', 'setuid 0']);
  });

  test.each<[UserFlags, string]>([
    [{ user: 'no\u001b[1m such' }, '-u "no\\u001b[1m such"'],
    [{ user: '' }, '-u ""'],
    [{ user: ':' }, '-u :'],
    [{ user: '0x0' }, '-u 0x0'],
    [{ user: '-1' }, '-u -1'],
    [{ user: '4294967295' }, '-u 4294967295'],
    [{ user: 'root:' }, '-u root:'],
    [{ user: 'root:0:0' }, '-u root:0:0'],
    [{ user: 'root', group: 'no-such' }, '-u root -g no-such'],
    [{ group: '' }, '-g ""'],
  ])('with %j names a user or group that does not exist', (flags, text) => {
    expect(attempt(0, 0, flags)).toBe(
      `${text} names a user or group that does not exist; pass one that exists, or a number`,
    );
  });

  test('with two groups is rejected', () => {
    expect(attempt(0, 0, { user: 'root:0', group: '0' })).toBe(
      '-u root:0 -g 0 names two groups; leave one of them out',
    );
  });
});

test.each<UserFlags>([{}, { user: '12345' }, { user: '12345:6' }, { group: '6' }])(
  'a user other than root may name itself, with %j',
  (flags) => {
    expect(attempt(12_345, 6, flags)).toEqual([]);
  },
);

test.each<[UserFlags, string]>([
  [{ user: 'root' }, '-u root'],
  [{ user: '54321:6' }, '-u 54321:6'],
  [{ group: 'root' }, '-g root'],
  [{ user: '12345', group: '7' }, '-u 12345 -g 7'],
])('a user other than root may not become another, with %j', (flags, text) => {
  expect(attempt(12_345, 6, flags)).toBe(`${text} needs root; leave it out, or run as root`);
});

test('Windows supports no -u', () => {
  const line = '-u root is not supported on this system; leave it out';
  expect(errorLine(() => switchUser({ user: 'root' }, {}))).toBe(line);
  expect(errorLine(() => switchUser({}, {}))).toBe('not rejected');
});

describe('a failed change of user is reported if', () => {
  const hint = 'leave it out, or grant root the right to change users (CAP_SETUID and CAP_SETGID)';

  test.each(['setgroups', 'seteuid', 'setgid', 'setuid'])('%s is not permitted', (name) => {
    const fail = () => {
      throw Object.assign(new Error('EPERM'), { errno: -1, code: 'EPERM' });
    };
    const { system } = simulateSystem(0, 0, { [name]: fail });
    expect(errorLine(() => switchUser({ user: '12345:6' }, system))).toBe(
      `-u 12345:6 failed: operation not permitted (EPERM); ${hint}`,
    );
  });

  test.each(['setgid', 'setuid'])('%s does nothing', (name) => {
    const { system } = simulateSystem(0, 0, { [name]: () => {} });
    expect(errorLine(() => switchUser({ user: '12345:6' }, system))).toBe(
      `-u 12345:6 failed: the system did not change the user; ${hint}`,
    );
  });

  test('the real user does not change', () => {
    const { system } = simulateSystem(0, 0, { getuid: () => 0 });
    expect(errorLine(() => switchUser({ user: '12345:6' }, system))).toContain('did not change the user');
  });
});

test.each<[UserProcess, UserFlags, boolean]>([
  [{ geteuid: () => 0 }, {}, true],
  [{ geteuid: () => 0 }, { user: 'root' }, false],
  [{ geteuid: () => 0 }, { group: 'root' }, false],
  [{ geteuid: () => 1000 }, {}, false],
  [{}, {}, false],
])('bonnie++ runs as root only with -u or -g, %#', (system, flags, isRejected) => {
  expect(errorLine(() => rejectRoot('bonnie++', flags, system))).toBe(
    isRejected
      ? 'bonnie++ does not run as root without -u; pass -u root, or -u nobody to run as that user'
      : 'not rejected',
  );
});

describe('a real process', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'test-'));
  const program = path.join(root, 'child.mjs');

  beforeAll(() => {
    const entry = fileURLToPath(new URL('run-as-user-child.ts', import.meta.url));
    buildSync({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile: program });
  });

  afterAll(() => rmSync(root, { recursive: true }));

  async function runChild(args: readonly string[], as: readonly string[] = []): Promise<string> {
    const { stdout, stderr } = await startProcess(process.execPath, [program, ...args], { as }).exitResult;
    expect(stderr).toBe('');
    return stdout;
  }

  describe('that runs as root', () => {
    beforeEach(requireTools('root', 'setpriv'));

    const withGroups = ['setpriv', '--groups=6,7'];

    test.each([
      ['nobody', '', '65534 65534 65534 65534 (65534)'],
      ['nobody:6', '', '65534 65534 6 6 (6)'],
      ['nobody', 'daemon', '65534 65534 1 1 (1)'],
      ['54321', '', '54321 54321 65534 65534 (65534)'],
      ['', '6', '0 0 6 6 (6)'],
    ])('becomes -u %j -g %j, and drops its supplementary groups', async (user, group, ids) => {
      expect(await runChild(['become', user, group], withGroups)).toBe(ids);
    });

    test('stays root with -u root', async () => {
      expect(await runChild(['become', 'root'], withGroups)).toBe('0 0 0 0 (6 7)');
    });

    test('without CAP_SETUID reports that the change is not permitted', async () => {
      const as = ['setpriv', '--bounding-set=-setuid', '--inh-caps=-setuid'];
      expect(await runChild(['become', 'nobody'], as)).toMatch(/^-u nobody failed: .*not permitted/);
    });
  });

  describe('that runs as nobody', () => {
    beforeEach(requireNobody);

    const { as = [] } = NOBODY;

    test.each([
      ['become', 'nobody:nogroup', '65534 65534 65534 65534 ()'],
      ['reject-root', '', '65534 65534 65534 65534 ()'],
      ['become', 'root', '-u root needs root; leave it out, or run as root'],
    ])('%s %j: %s', async (call, user, output) => {
      expect(await runChild([call, user], as)).toBe(output);
    });
  });
});
