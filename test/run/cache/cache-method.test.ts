import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { ENTRY, type ProgramOptions, runGobonnie, startProcess } from '../../support/programs/program.js';
import { omitFlagsWithoutEffect, SMALL_FLAGS } from '../../support/programs/small-run.js';
import { requireTools } from '../../support/tools.js';

const EVICTING = ['-q', ...SMALL_FLAGS, '--cache', 'evict'];
/** Both paths of dd; one may be a link to the other. */
const BIND = 'for dd in /usr/bin/dd /bin/dd; do mount --bind "$0" "$dd" || exit; done; exec "$@"';

/** Makes a program that records that it was run. Its directory allows execution, unlike some tmpfs mounts. */
function makeFake(directory: string, name: string, command = ''): () => boolean {
  const fake = path.join(directory, name);
  writeFileSync(fake, `#!/bin/sh\n: > '${fake}.run'\n${command}\n`);
  chmodSync(fake, 0o755);
  return () => existsSync(`${fake}.run`);
}

describe('as root', () => {
  beforeEach(requireTools('root', 'unshare', 'mount'));

  test('gobonnie runs no program from PATH or from the measured directory', async () => {
    const dir = makeDirectory(os.tmpdir());
    chmodSync(dir, 0o777);
    const names = ['dd', 'xargs', 'node', 'sh', 'sync', 'env', 'df', 'lsblk', 'findmnt', 'setpriv', 'nice'];
    const fakes = names.map((name) => ({ name, isRun: makeFake(dir, name) }));
    const environment: ProgramOptions = {
      cwd: dir,
      env: { ...process.env, PATH: `${dir}:${process.env.PATH}` },
    };
    const phases = ['--phases', 'write,read,create,delete', '--files', '10'];
    expect(
      (await runGobonnie(omitFlagsWithoutEffect(['--dir', dir, ...EVICTING, ...phases]), environment))
        .exitCode,
    ).toBe(0);
    expect(fakes.filter(({ isRun }) => isRun()).map(({ name }) => name)).toEqual([]);
    // Check that the fake programs can run at all.
    await startProcess('sync', [], environment).exitResult;
    expect(fakes.filter(({ isRun }) => isRun()).map(({ name }) => name)).toEqual(['sync']);
  });

  test('the error for a failing dd of GNU coreutils has a hint', async () => {
    const directory = makeDirectory(os.tmpdir());
    makeFake(directory, 'dd', '[ "$1" = --version ] || exit 1; echo "dd (coreutils) 9.1"');
    const command = [process.execPath, ENTRY, '--dir', makeDirectory(), ...EVICTING];
    const inside = ['--mount', 'sh', '-c', BIND, path.join(directory, 'dd'), ...command];
    const { stderr } = await startProcess('unshare', inside).exitResult;
    expect(stderr).toMatch(
      /^gobonnie: --cache evict could not drop the page cache: \S+dd failed; pass --cache auto, /,
    );
  });
});
