import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { GobonnieError, plan, run } from 'gobonnie';
import { expect, test } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { SMALL_OPTIONS } from '../support/programs/small-run.js';

test('a plan equals the start event of a run with the same options', async () => {
  const options = { dir: makeDirectory(), ...SMALL_OPTIONS, seed: 7, phases: ['write', 'read'] };
  const planned = await plan(options);
  expect(planned).toMatchObject({ threads: 2, steps: ['write', 'read'], directory: options.dir });
  for await (const event of run(options)) {
    if (event.type !== 'start') continue;
    const { options, machine, target } = event.report;
    expect(planned).toMatchObject({
      threads: options.threads,
      totalBytes: options.sizeBytes,
      steps: options.phases,
      options: { seed: options.seed },
      machine,
      directory: target.directory,
    });
  }
});

test('the plan of first-read is about the directory of its paths', async () => {
  const directory = makeDirectory();
  writeFileSync(path.join(directory, 'data'), Buffer.alloc(2 ** 21));
  const planned = await plan({ steps: [{ phase: 'first-read', paths: [directory] }] });
  expect(planned.directory).toBe(directory);
  const missing = { steps: [{ phase: 'first-read' as const, paths: [path.join(directory, 'none')] }] };
  await expect(plan(missing)).rejects.toThrow('cannot be read');
});

test.each([
  [{ size: -1 }, 'option-invalid'],
  [{ size: 500_000 }, 'size-too-large'],
  [{ dir: import.meta.filename }, 'directory-unusable'],
])('a plan rejects the options that a run rejects: %j', async (options, code) => {
  const error = await plan({ dir: makeDirectory(), ...SMALL_OPTIONS, ...options }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(GobonnieError);
  expect(error).toMatchObject({ kind: 'usage', code });
});
