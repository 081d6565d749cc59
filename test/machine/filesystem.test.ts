import { expect, test } from 'vitest';
import { isMemoryFilesystem } from '../../src/machine/filesystem.js';

test.each([
  ['tmpfs', true],
  ['ramfs', true],
  ['ext4', false],
  ['devtmpfs', false],
])('%s is in memory: %s', (filesystem, isInMemory) => {
  expect(isMemoryFilesystem({ filesystem })).toBe(isInMemory);
});
