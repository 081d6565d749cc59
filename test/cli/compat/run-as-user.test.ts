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

function recordCalls(flags: UserFlags, uid = 0, gid = uid): readonly string[] {
  const { system, calls } = simulateSystem(uid, gid);
  switchUser(flags, system);
  return calls;
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

describe('root becomes', () => {
  test.each<[string, UserFlags, readonly string[]]>([
    ['a number, with a group', { user: '12345:6' }, ['setgroups 6', 'setgid 6', 'setuid 12345']],
    ['a number, with -g', { user: '12345', group: '6' }, ['setgroups 6', 'setgid 6', 'setuid 12345']],
    ['a number, with a group by name', { user: '12345:root' }, ['setgroups 0', 'setgid 0', 'setuid 12345']],
    ['a user with another group', { user: 'root:6' }, ['initgroups root 6', 'setgid 6', 'setuid 0']],
    ['the user of a number', { user: '0:6' }, ['initgroups root 6', 'setgid 6', 'setuid 0']],
    ['itself in another group', { group: '6' }, ['setgroups 6', 'setgid 6', 'setuid 0']],
  ])('%s, and changes the groups first and the user last', (_, flags, calls) => {
    expect(recordCalls(flags)).toEqual(calls);
  });

  test.each<[string, UserFlags]>([
    ['neither -u nor -g', {}],
    ['-u root', { user: 'root' }],
    ['-u 0', { user: '0' }],
    ['-u root:root', { user: 'root:root' }],
    ['-g root', { group: 'root' }],
  ])('no other user with %s, because nothing would change', (_, flags) => {
    expect(recordCalls(flags)).toEqual([]);
  });

  test("root with root's own group if the process has another group", () => {
    expect(recordCalls({ user: 'root' }, 0, 6)).toEqual(['initgroups root 0', 'setgid 0', 'setuid 0']);
  });
});

describe('a user other than root', () => {
  test.each<[string, UserFlags]>([
    ['nothing', {}],
    ['its number', { user: '12345' }],
    ['its number and group', { user: '12345:6' }],
    ['its group', { group: '6' }],
  ])('may request %s', (_, flags) => {
    expect(recordCalls(flags, 12_345, 6)).toEqual([]);
  });

  test.each<[string, UserFlags, string]>([
    ['another user', { user: 'root' }, '-u root'],
    ['another number', { user: '54321:6' }, '-u 54321:6'],
    ['another group', { group: 'root' }, '-g root'],
    ['itself in another group', { user: '12345', group: '7' }, '-u 12345 -g 7'],
  ])('may not request %s', (_, flags, flagsText) => {
    const { system, calls } = simulateSystem(12_345, 6);
    expect(errorLine(() => switchUser(flags, system))).toBe(
      `${flagsText} needs root; leave it out, or run as root`,
    );
    expect(calls).toEqual([]);
  });
});

describe('switchUser rejects', () => {
  const unknown = 'names a user or group that does not exist; pass one that exists, or a number';

  test.each<[UserFlags, string]>([
    [{ user: 'no-such' }, `-u no-such ${unknown}`],
    [{ user: 'no\u001b[1m such' }, `-u "no\\u001b[1m such" ${unknown}`],
    [{ user: '' }, `-u "" ${unknown}`],
    [{ user: ':' }, `-u : ${unknown}`],
    [{ user: '0x0' }, `-u 0x0 ${unknown}`],
    [{ user: '-1' }, `-u -1 ${unknown}`],
    [{ user: '4294967295' }, `-u 4294967295 ${unknown}`],
    [{ user: 'root:' }, `-u root: ${unknown}`],
    [{ user: 'root:no-such' }, `-u root:no-such ${unknown}`],
    [{ user: 'root:0:0' }, `-u root:0:0 ${unknown}`],
    [{ user: 'root', group: 'no-such' }, `-u root -g no-such ${unknown}`],
    [{ group: '' }, `-g "" ${unknown}`],
    [{ user: 'root:0', group: '0' }, '-u root:0 -g 0 names two groups; leave one of them out'],
  ])('%j', (flags, line) => {
    const { system, calls } = simulateSystem(0, 0);
    expect(errorLine(() => switchUser(flags, system))).toBe(line);
    expect(calls).toEqual([]);
  });

  test('any user on Windows', () => {
    expect(errorLine(() => switchUser({ user: 'root' }, {}))).toBe(
      '-u root is not supported on this system; leave it out',
    );
    expect(errorLine(() => switchUser({}, {}))).toBe('not rejected');
  });
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

describe('running as root', () => {
  test('is rejected without -u and -g', () => {
    expect(errorLine(() => rejectRoot('bonnie++', {}, simulateSystem(0, 0).system))).toBe(
      'bonnie++ does not run as root without -u; pass -u root, or -u nobody to run as that user',
    );
  });

  test.each<[string, UserFlags]>([
    ['-u', { user: 'root' }],
    ['-g', { group: 'root' }],
  ])('is allowed with %s', (_, flags) => {
    expect(errorLine(() => rejectRoot('bonnie++', flags, simulateSystem(0, 0).system))).toBe('not rejected');
  });

  test('is not rejected for other users or on other systems', () => {
    expect(errorLine(() => rejectRoot('bonnie++', {}, simulateSystem(1000, 1000).system))).toBe(
      'not rejected',
    );
    expect(errorLine(() => rejectRoot('bonnie++', {}, {}))).toBe('not rejected');
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
      ['65534', '', '65534 65534 65534 65534 (65534)'],
      ['54321', '', '54321 54321 65534 65534 (65534)'],
      ['54321:6', '', '54321 54321 6 6 (6)'],
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
      ['become', 'nobody', '65534 65534 65534 65534 ()'],
      ['become', '65534', '65534 65534 65534 65534 ()'],
      ['become', 'nobody:nogroup', '65534 65534 65534 65534 ()'],
      ['reject-root', '', '65534 65534 65534 65534 ()'],
    ])('%s %j is accepted', async (call, user, ids) => {
      expect(await runChild([call, user], as)).toBe(ids);
    });

    test('cannot become root', async () => {
      expect(await runChild(['become', 'root'], as)).toBe('-u root needs root; leave it out, or run as root');
    });
  });
});
