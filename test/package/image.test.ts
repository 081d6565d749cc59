import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ROOT } from '../support/root.js';
import { runCommand } from './project.js';

const IMAGE = 'gobonnie:test';
/** A client alone cannot build an image. */
const hasDocker = spawnSync('docker', ['info']).status === 0;

test.skipIf(!hasDocker)('the container image measures as an ordinary user, and contains no compiler', () => {
  runCommand('docker', ['build', '--quiet', '--tag', IMAGE, '.'], ROOT);
  const run = (...args: readonly string[]) => runCommand('docker', ['run', '--rm', ...args], ROOT);
  expect(run(IMAGE, '--size', '0.02', '--iops-duration', '0.2')).toMatch(/^Sequential Write MB\/s: /);
  expect(run('--entrypoint', 'id', IMAGE, '--user')).toBe('1000\n');
  for (const tool of ['cc', 'make', 'python3']) expect(() => run('--entrypoint', tool, IMAGE)).toThrow();
});
